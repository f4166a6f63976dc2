-- calls: 20, 6, 8, 1, 0
SELECT count(*) AS n
FROM orders
WHERE id > 0
  [[ AND lower(status) = << status >> ]]
  [[ AND price * << factor >> > 50 ]]
  [[ AND day + << span >> > DATE '2024-12-31' ]]
  [[ AND << all >> ]]
