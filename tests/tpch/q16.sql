/*---
description: How many suppliers without complaints can deliver parts, by brand, type and size.
params:
  brand: { description: Brand that is left out. }
  type_pattern: { description: Pattern of the types that are left out. }
  sizes: { description: Sizes of the parts. }
  complaint_pattern: { description: Pattern of the comments on suppliers with complaints. }
result_limit: none
---*/
SELECT p_brand, p_type, p_size, count(DISTINCT ps_suppkey) AS supplier_cnt
FROM partsupp, part
WHERE p_partkey = ps_partkey
  AND p_brand <> << brand >>
  AND p_type NOT LIKE << type_pattern >>
  AND p_size IN << sizes >>
  AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier WHERE s_comment LIKE << complaint_pattern >>)
GROUP BY p_brand, p_type, p_size
ORDER BY supplier_cnt DESC, p_brand, p_type, p_size
