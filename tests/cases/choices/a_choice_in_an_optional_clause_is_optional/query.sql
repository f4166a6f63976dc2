/*---
params: { metric: { choices: { pieces: quantity, price: price } } }
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND << metric? >> > << least >> ]]
