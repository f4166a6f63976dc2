/*---
params:
  # error: [choices-differ]
  metric: { choices: { status: status, pieces: quantity } }
---*/
SELECT id FROM orders WHERE << metric >> = << wanted >> ORDER BY id
