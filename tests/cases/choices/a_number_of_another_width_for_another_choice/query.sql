/*---
params:
  # error: [choices-differ]
  measure: { choices: { pieces: sum(quantity), value: sum(price) } }
---*/
SELECT status, << measure >> AS total FROM orders GROUP BY status ORDER BY status
