/*--- { kind: view } ---*/
SELECT id FROM shipped WHERE quantity > 7
