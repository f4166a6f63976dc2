/*---
description: Suppliers of a nation with more of a part in stock than a fraction of what a year shipped.
params:
  name_pattern: { description: Pattern of the part's name. }
  fraction: { description: Fraction of the quantity that was shipped. }
  since: { description: First day of the year. }
  nation: { description: Nation of the suppliers. }
result_limit: none
---*/
SELECT s_name, s_address
FROM supplier, nation
WHERE s_suppkey IN (
    SELECT ps_suppkey
    FROM partsupp
    WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE << name_pattern >>)
      AND ps_availqty > (
        SELECT << fraction >> * sum(l_quantity)
        FROM lineitem
        WHERE l_partkey = ps_partkey
          AND l_suppkey = ps_suppkey
          AND l_shipdate >= << since >>
          AND l_shipdate < << since >> + INTERVAL '1' YEAR
      )
  )
  AND s_nationkey = n_nationkey
  AND n_name = << nation >>
ORDER BY s_name
