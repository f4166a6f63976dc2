/*---
description: Customers who returned goods ordered in a quarter, with the largest lost revenue first.
params:
  since: { description: First day of the quarter. }
  flag: { description: Return flag of the line items. }
  max_rows: { description: Rows at most. }
result_limit: none
---*/
SELECT
  c_custkey,
  c_name,
  sum(l_extendedprice * (1 - l_discount)) AS revenue,
  c_acctbal,
  n_name,
  c_address,
  c_phone,
  c_comment
FROM customer, orders, lineitem, nation
WHERE c_custkey = o_custkey
  AND l_orderkey = o_orderkey
  AND o_orderdate >= << since >>
  AND o_orderdate < << since >> + INTERVAL '3' MONTH
  AND l_returnflag = << flag >>
  AND c_nationkey = n_nationkey
GROUP BY c_custkey, c_name, c_acctbal, c_phone, n_name, c_address, c_comment
ORDER BY revenue DESC
LIMIT << max_rows >>
