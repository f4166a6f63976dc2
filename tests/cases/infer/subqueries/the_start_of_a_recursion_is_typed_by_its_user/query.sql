-- calls: 3, 0
WITH RECURSIVE numbers AS (
  SELECT << start >> AS n
  UNION ALL
  SELECT n + 1 FROM numbers WHERE n < 20
)
SELECT count(*) AS n FROM numbers JOIN orders ON orders.id = numbers.n
