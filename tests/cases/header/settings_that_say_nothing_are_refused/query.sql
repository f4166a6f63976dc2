/*---
description: Orders of a state.
params:
  # error: [invalid-value]
  state: { pattern: "", description: A state. }
# error: [invalid-value]
rules: []
columns:
  # error: [invalid-value]
  id: {}
# error: [invalid-value]
tests: []
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
