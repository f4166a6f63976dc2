/*---
description: Get one order by its key.
expose: []
params:
  order_key: { description: The order key }
---*/
SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate,
       o_orderpriority, o_clerk, o_shippriority, o_comment
FROM orders
WHERE o_orderkey = << order_key >>
