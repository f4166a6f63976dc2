SELECT id
FROM orders
-- error: [cannot-infer-type]
WHERE << a >> = << b >>
