/*---
description: Orders.
params: { state: { description: A state. } }
tests:
  # error: [invalid-value]
  - { name: one, expect: { count: } }
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
