SELECT count(*) AS n
FROM (
  SELECT quantity > << many >> AS many, customer_id + << shift >> AS c
  FROM orders
  GROUP BY quantity > << many >>, customer_id + << shift >>
) AS t
