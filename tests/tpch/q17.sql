/*---
description: Revenue that a year would lose without the small orders of a brand and container.
params:
  brand: { description: Brand of the part. }
  container: { description: Container of the part. }
  fraction: { description: Quantities below this fraction of the part's average are small. }
result_limit: none
---*/
SELECT sum(l_extendedprice) / 7.0 AS avg_yearly
FROM lineitem, part
WHERE p_partkey = l_partkey
  AND p_brand = << brand >>
  AND p_container = << container >>
  AND l_quantity < (SELECT << fraction >> * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey)
