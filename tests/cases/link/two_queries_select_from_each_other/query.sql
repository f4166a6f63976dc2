SELECT id
-- error: [query-cycle]
FROM other
