SELECT id
FROM orders
-- error: [cannot-infer-type]
WHERE << column >> = << value >>
ORDER BY id
