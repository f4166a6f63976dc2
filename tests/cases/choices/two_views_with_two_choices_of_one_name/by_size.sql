/*---
kind: view
# error: [conflicting-configuration]
params: { by: { choices: { a: quantity, b: price } } }
---*/
SELECT count(DISTINCT << by >>) AS n FROM orders
