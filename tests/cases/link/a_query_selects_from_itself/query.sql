SELECT id
-- error: [query-cycle]
FROM query
