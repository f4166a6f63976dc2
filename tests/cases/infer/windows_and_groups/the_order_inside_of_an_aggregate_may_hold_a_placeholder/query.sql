-- calls: 1, 0
SELECT count(*) AS n
FROM (
  SELECT array_agg(id ORDER BY abs(quantity - << near >>), id) AS ids, first_value(status ORDER BY abs(price - << price >>)) AS s
  FROM orders
) AS t
WHERE ids[1] = << first >> AND s = << status >>
