/*---
params:
  least: { default: 1.5 }
  since: { default: { sql: "DATE '2024-01-01'" } }
---*/
SELECT id
FROM orders
WHERE id < 4
  [[ AND price BETWEEN << least >> AND << most >> ]]
  [[ AND day BETWEEN << since >> AND << until >> ]]
ORDER BY id
