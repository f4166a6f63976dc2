SELECT value AS instant, CAST(value AS timestamp) AS clock
FROM generate_series(<< first: timestamptz >>, << last >>, INTERVAL '1 day')
ORDER BY value
