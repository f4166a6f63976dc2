/*--- { kind: view } ---*/
SELECT id, status, price FROM orders WHERE price > << least >>
