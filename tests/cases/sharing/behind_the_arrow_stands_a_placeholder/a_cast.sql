SELECT id
-- error: [invalid-query]
FROM cheap(most => CAST(<< top >> AS double))
