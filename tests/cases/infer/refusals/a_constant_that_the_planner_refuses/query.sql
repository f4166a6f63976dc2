SELECT value
-- error: [invalid-query]
FROM generate_series(1, << n >>, 0)
