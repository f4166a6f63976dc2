-- error: [query-cycle]
SELECT id FROM a
