/*---
params:
  # error: [choices-differ]
  by: { choices: { status: status, note: note } }
---*/
SELECT id, << by >> FROM orders ORDER BY id
