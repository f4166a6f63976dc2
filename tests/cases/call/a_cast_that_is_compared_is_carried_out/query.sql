-- row 4 for TRY_CAST, beside a literal as beside a placeholder; an error for CAST, which DuckDB leaves out
SELECT id, TRY_CAST(big AS int) > 3 AS more, TRY_CAST(big AS int) IN (3, 4) AS one_of, CAST(small AS bigint) = 7 AS wider
FROM t
WHERE TRY_CAST(big AS int) > 3 [[ AND TRY_CAST(big AS int) > << least >> ]] [[ OR CAST(big AS int) = << same >> + 0 * id ]]
  [[ OR CAST(big AS int) = 4 AND id > << after >> ]]
ORDER BY id
