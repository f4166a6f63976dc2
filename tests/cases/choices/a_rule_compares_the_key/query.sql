/*---
params:
  sort: { choices: { newest: day DESC, worst: price DESC }, default: newest }
rules:
  - { check: << sort >> <> 'worst' OR << least >> > 10, message: The worst only above 10. }
---*/
SELECT id FROM orders WHERE price > << least >> AND id <= 6 ORDER BY << sort >>, id
