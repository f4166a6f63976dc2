SELECT a.value, b.value AS instant, c.value AS local_time
FROM generate_series(<< first: timestamp >>, << last >>, << step: interval >>) AS a
CROSS JOIN range(<< since >>, TIMESTAMPTZ '2024-03-12 00:00:00', INTERVAL '1 day') AS b
CROSS JOIN range(<< from_then >>, TIMESTAMP '2024-03-12 00:00:00', INTERVAL '1 day') AS c
