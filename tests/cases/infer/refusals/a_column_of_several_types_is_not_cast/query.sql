SELECT id,
    -- error: [invalid-query]
    CAST(u AS text) AS u
FROM mixed
