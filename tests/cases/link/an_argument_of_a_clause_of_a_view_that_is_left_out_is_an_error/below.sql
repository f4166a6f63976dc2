/*--- { kind: view } ---*/
SELECT id FROM of_price
