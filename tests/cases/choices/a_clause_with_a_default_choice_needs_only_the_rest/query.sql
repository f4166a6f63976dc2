/*---
params: { metric: { choices: { pieces: quantity, price: price }, default: pieces } }
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND << metric >> > << least >> ]]
