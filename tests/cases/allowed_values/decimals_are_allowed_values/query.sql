/*---
params:
  amount: { allowed_values: { query: SELECT amount FROM types } }
---*/
SELECT id FROM types WHERE amount = << amount >> ORDER BY id
