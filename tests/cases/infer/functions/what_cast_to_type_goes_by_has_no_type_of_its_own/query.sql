SELECT count(*) AS n
FROM orders
-- error: [cannot-infer-type]
WHERE cast_to_type(quantity, << like >>) IS NOT NULL
