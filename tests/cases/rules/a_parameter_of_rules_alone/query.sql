/*---
description: Orders.
params:
  state: { description: A state. }
  # error: [unused-parameter]
  least: { description: A number. }
rules:
  # error: [invalid-rule]
  - { check: << least >> > 1, message: More than one. }
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
