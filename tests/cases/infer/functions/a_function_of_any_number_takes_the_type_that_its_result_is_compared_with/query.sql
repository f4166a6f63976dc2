SELECT count(*) AS n
FROM orders
WHERE abs(<< a >>) = quantity
  AND abs(<< b >>) < price
