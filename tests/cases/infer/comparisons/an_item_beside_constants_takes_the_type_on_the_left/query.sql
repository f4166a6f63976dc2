SELECT count(*) AS n
FROM orders
WHERE price IN (1, 2, << a >>) AND status NOT IN ('open', << b >>) AND quantity IN (5, << c >>)
