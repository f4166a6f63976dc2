SELECT count(*) AS n
FROM orders
-- error: [cannot-infer-type]
WHERE cast_to_type(status, << like >>) IS NOT NULL
