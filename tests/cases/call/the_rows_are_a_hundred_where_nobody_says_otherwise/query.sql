SELECT value FROM generate_series(1, 101) ORDER BY value
