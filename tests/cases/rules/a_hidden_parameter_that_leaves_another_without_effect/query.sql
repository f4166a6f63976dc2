/*---
params:
  # error: [invalid-setting]
  most: { hidden: true }
---*/
SELECT count(*) AS orders FROM orders WHERE id > 0 [[ AND quantity BETWEEN << least >> AND << most >> ]]
