/*---
params:
  a: { allowed_values: [1, 2] }
  b: { allowed_values: ['2024-01-02', '2024-01-05'] }
  c: { allowed_values: [1, 2] }
  e: { allowed_values: [1, 2, 3] }
---*/
SELECT count(*) AS n FROM orders WHERE price > << a >> AND day >= << b >> AND price * << c >> > 9 AND id IN << e >>
