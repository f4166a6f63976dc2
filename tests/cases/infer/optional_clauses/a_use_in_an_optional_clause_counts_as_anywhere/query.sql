-- calls: 20, 8, 7, 9
SELECT count(*) AS n
FROM orders
WHERE true
  [[ AND day + << a >> > DATE '2024-06-01' ]]
  [[ AND price * << b >> > 20 ]]
  [[ AND << c >> ]]
  [[ AND CASE WHEN quantity > << e >> THEN << f >> ELSE status END = 'open' ]]
