/*---
params:
  sort: { choices: { newest: day DESC, worst: price DESC }, default: newest }
rules:
  - { check: << sort >> <> 'worst' OR << last >> <= 3, message: The worst only of the first three. }
---*/
SELECT id FROM orders WHERE id <= << last >> ORDER BY << sort >>
