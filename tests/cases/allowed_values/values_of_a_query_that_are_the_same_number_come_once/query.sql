/*---
params:
  least: { allowed_values: { query: "SELECT x FROM (VALUES (1.0), (0.0), (-0.0), (1.0)) AS t(x) ORDER BY x" } }
---*/
SELECT id FROM orders WHERE price > << least >> AND quantity = << quantity >>
