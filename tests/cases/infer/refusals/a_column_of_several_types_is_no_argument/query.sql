SELECT id,
    -- error: [invalid-query]
    concat(u, 'x') AS u
FROM mixed
