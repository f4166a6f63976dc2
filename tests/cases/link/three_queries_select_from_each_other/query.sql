SELECT id
-- error: [query-cycle]
FROM a
