/*---
params:
  only: { choices: { open: status = 'open', dear: price > 50 OR quantity > 8, noted: note IS NOT NULL } }
---*/
SELECT count(*) AS n FROM orders WHERE id <= 16 [[ AND << only? >> ]]
