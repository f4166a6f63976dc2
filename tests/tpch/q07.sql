/*---
description: Revenue of the goods shipped between two nations, by direction and year.
params:
  nation: { description: One nation. }
  other_nation: { description: The other one. }
  first_day: { description: First day of shipment. }
  last_day: { description: Last day of shipment. }
result_limit: none
---*/
SELECT supp_nation, cust_nation, l_year, sum(volume) AS revenue
FROM (
  SELECT
    n1.n_name AS supp_nation,
    n2.n_name AS cust_nation,
    extract(YEAR FROM l_shipdate) AS l_year,
    l_extendedprice * (1 - l_discount) AS volume
  FROM supplier, lineitem, orders, customer, nation n1, nation n2
  WHERE s_suppkey = l_suppkey
    AND o_orderkey = l_orderkey
    AND c_custkey = o_custkey
    AND s_nationkey = n1.n_nationkey
    AND c_nationkey = n2.n_nationkey
    AND (
      (n1.n_name = << nation >> AND n2.n_name = << other_nation >>)
      OR (n1.n_name = << other_nation >> AND n2.n_name = << nation >>)
    )
    AND l_shipdate BETWEEN << first_day >> AND << last_day >>
) AS shipping
GROUP BY supp_nation, cust_nation, l_year
ORDER BY supp_nation, cust_nation, l_year
