SELECT
  -- error: [cannot-run]
  1 / 0 AS a,
  CASE WHEN id > 5 THEN 1 / 0 ELSE 2 END AS b,
  coalesce(id, 1 / 0) AS c,
  TRY_CAST('abc' AS int) AS d
FROM orders
-- error: [cannot-run]
WHERE day = make_date(2024, 13, 1)
  -- error: [cannot-run]
  AND id = CAST('abc' AS int)
  -- error: [cannot-run]
  AND day > date '2024-02-30'
  -- error: [cannot-run]
  AND placed_at > date_trunc('fortnight', placed_at)
  -- error: [cannot-run]
  [[ AND quantity > 9223372036854775807 + 1 AND note = << note >> ]]
  AND id = << id >>
