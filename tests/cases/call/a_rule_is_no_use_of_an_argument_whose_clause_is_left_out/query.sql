/*---
rules:
  - { check: "<< least >> <= << most >>", message: least is above most }
---*/
SELECT id
FROM orders
WHERE id < 11 [[ AND price BETWEEN << least >> AND << most >> ]]
ORDER BY id
