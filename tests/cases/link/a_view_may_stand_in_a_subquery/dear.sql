/*--- { kind: view } ---*/
SELECT customer_id FROM orders WHERE price > << least >>
