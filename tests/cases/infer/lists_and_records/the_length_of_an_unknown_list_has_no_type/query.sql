SELECT count(*) AS n
FROM orders
-- error: [cannot-infer-type]
WHERE array_length(<< xs >>) = quantity
