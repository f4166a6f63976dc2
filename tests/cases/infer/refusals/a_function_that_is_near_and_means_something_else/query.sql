SELECT percentile_disc(0.5, n) AS middle, regexp_extract_all(name, 'a') AS parts, make_timestamp(2024, 1, 5, 10, 30, 0) AS at
FROM (VALUES (1, 'a')) AS v(n, name)
