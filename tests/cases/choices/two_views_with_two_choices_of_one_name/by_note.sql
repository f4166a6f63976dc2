/*---
kind: view
params: { by: { choices: { a: status, b: note } } }
---*/
SELECT count(DISTINCT << by >>) AS n FROM orders
