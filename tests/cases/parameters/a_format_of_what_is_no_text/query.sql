/*---
params:
  # error: [invalid-constraint]
  least: { format: email }
  # error: [invalid-constraint]
  number: { format: uri }
---*/
SELECT id FROM orders WHERE quantity >= << least >> AND note <> CAST(<< number: uuid >> AS text)
