/*---
description: Customers of some countries without orders whose balance is above the average, by code of the country.
params:
  codes: { description: First two digits of the customers' phone numbers. }
  least_balance: { description: Balances above this make the average. }
result_limit: none
---*/
SELECT cntrycode, count(*) AS numcust, sum(c_acctbal) AS totacctbal
FROM (
  SELECT substring(c_phone FROM 1 FOR 2) AS cntrycode, c_acctbal
  FROM customer
  WHERE substring(c_phone FROM 1 FOR 2) IN << codes >>
    AND c_acctbal > (
      SELECT avg(c_acctbal)
      FROM customer
      WHERE c_acctbal > << least_balance >>
        AND substring(c_phone FROM 1 FOR 2) IN << codes >>
    )
    AND NOT EXISTS (SELECT * FROM orders WHERE o_custkey = c_custkey)
) AS custsale
GROUP BY cntrycode
ORDER BY cntrycode
