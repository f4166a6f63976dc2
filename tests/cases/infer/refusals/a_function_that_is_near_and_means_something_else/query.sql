SELECT
  -- error: [unknown-function]
  percentile_disc(0.5, n) AS middle,
  -- error: [unknown-function]
  regexp_extract_all(name, 'a') AS parts,
  -- error: [unknown-function]
  make_timestamp(2024, 1, 5, 10, 30, 0) AS at
FROM (VALUES (1, 'a')) AS v(n, name)
