/*---
params:
  day: { allowed_values: { query: SELECT day FROM orders WHERE id < 4 } }
  at: { allowed_values: { query: SELECT placed_at FROM orders WHERE id < 4 } }
  instant: { allowed_values: { query: SELECT instant FROM types } }
---*/
SELECT count(*) AS n FROM orders WHERE day = << day >> [[ AND placed_at = << at >> ]] [[ AND << instant: timestamptz >> IS NOT NULL ]]
