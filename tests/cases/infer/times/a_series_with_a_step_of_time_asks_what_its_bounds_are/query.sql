SELECT value
FROM generate_series(
    -- error: [cannot-infer-type]
    << first >>,
    -- error: [cannot-infer-type]
    << last >>,
    INTERVAL '1 day'
)
