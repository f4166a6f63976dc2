/*--- { kind: view } ---*/
SELECT id, price FROM shipped WHERE quantity > 5
