/*---
description: Suppliers of a region with the least cost for parts of a size and type, richest supplier first.
params:
  size: { description: Size of the part. }
  type_pattern: { description: Pattern of the part's type. }
  region: { description: Region of the suppliers. }
  max_rows: { description: Rows at most. }
result_limit: none
---*/
SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
FROM part, supplier, partsupp, nation, region
WHERE p_partkey = ps_partkey
  AND s_suppkey = ps_suppkey
  AND p_size = << size >>
  AND p_type LIKE << type_pattern >>
  AND s_nationkey = n_nationkey
  AND n_regionkey = r_regionkey
  AND r_name = << region >>
  AND ps_supplycost = (
    SELECT min(ps_supplycost)
    FROM partsupp, supplier, nation, region
    WHERE p_partkey = ps_partkey
      AND s_suppkey = ps_suppkey
      AND s_nationkey = n_nationkey
      AND n_regionkey = r_regionkey
      AND r_name = << region >>
  )
ORDER BY s_acctbal DESC, n_name, s_name, p_partkey
LIMIT << max_rows >>
