/*---
description: List the first 100 line items shipped in a date range with a return flag.
expose: []
params:
  from_date: { description: First ship date }
  to_date: { description: Day after the last ship date }
  return_flag: { description: "R, A or N" }
---*/
SELECT l_orderkey, l_linenumber, l_partkey, l_quantity, l_extendedprice, l_discount, l_shipdate
FROM lineitem
WHERE l_shipdate >= << from_date >>
  AND l_shipdate < << to_date >>
  AND l_returnflag = << return_flag >>
ORDER BY l_orderkey, l_linenumber
LIMIT 100
