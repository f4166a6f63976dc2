SELECT id
FROM orders
-- error: [cannot-infer-type]
WHERE day >= << since >> + INTERVAL '1 day'
