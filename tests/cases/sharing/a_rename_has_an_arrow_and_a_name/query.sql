SELECT id
-- error: [invalid-query]
FROM cheap(<< top >>)
