-- calls: 3, 2
SELECT count(*) AS n
FROM orders
WHERE price * (1 + << a >>) > 30
  AND (quantity + << b >>) * 2 > 10
  AND quantity * (<< c >> + << e >>) < price
  AND (<< f >> - 1) * 10 < id
  AND << g >> + quantity * price > 0
