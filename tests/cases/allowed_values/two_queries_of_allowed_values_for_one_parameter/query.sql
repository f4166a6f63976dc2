/*---
params:
  # error: [conflicting-configuration]
  status: { allowed_values: { query: SELECT status FROM orders WHERE id < 5 } }
---*/
SELECT id FROM of_status WHERE status = << status >>
