SELECT sum(quantity) AS total, coalesce(sum(quantity), 0) AS units, count(*) AS n
FROM orders
WHERE quantity > 0 AND status = << status >>
