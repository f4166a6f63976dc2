/*---
description: 1,000 line items with all columns, from an order key on.
expose: []
result_limit: 1000
params:
  from_key: { description: First order key }
---*/
SELECT l_orderkey, l_partkey, l_suppkey, l_linenumber, l_quantity, l_extendedprice,
       l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate, l_commitdate,
       l_receiptdate, l_shipinstruct, l_shipmode, l_comment
FROM lineitem
WHERE l_orderkey >= << from_key >>
  AND l_orderkey <= << from_key >> + 4000
ORDER BY l_orderkey, l_linenumber
LIMIT 1000
