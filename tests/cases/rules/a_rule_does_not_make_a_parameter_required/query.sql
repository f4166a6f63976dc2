/*---
rules:
  - { check: << least >> <= << most >>, message: The least must not be above the most. }
---*/
SELECT count(*) AS n FROM orders WHERE id > 0
  [[ AND price >= << least >> ]]
  [[ AND price <= << most >> ]]
