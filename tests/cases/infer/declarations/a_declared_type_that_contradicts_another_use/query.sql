SELECT length(<< x: text >>) AS n
FROM orders
-- error: [conflicting-types]
WHERE id = << x >>
