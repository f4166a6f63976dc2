SELECT count(*) AS n
FROM orders
WHERE gcd(id, << a >>) = 5
  AND factorial(<< b >>) = 6
  AND chr(<< c >>) = 'A'
  AND to_hex(<< d >>) = 'ff'
