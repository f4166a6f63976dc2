SELECT id
-- error: [query-cycle]
FROM query(x => << y >>)
WHERE id > << x >>
