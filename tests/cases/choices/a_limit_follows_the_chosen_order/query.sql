/*--- { params: { sort: { choices: { dearest: "price DESC NULLS LAST, id", cheapest: "price, id" } } } } ---*/
SELECT id, price FROM orders ORDER BY << sort >> LIMIT << n >> OFFSET << skip = 0 >>
