/*---
params:
  # error: [invalid-setting]
  least: { fixed: much }
  # error: [invalid-setting]
  status: { fixed: lost, allowed_values: [open, shipped] }
  # error: [invalid-setting]
  day: { fixed: 2024-13-01 }
---*/
SELECT id FROM orders WHERE quantity >= << least >> AND status = << status >> AND day = << day >> LIMIT 5
