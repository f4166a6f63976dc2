/*--- { strict: true } ---*/
SELECT id FROM orders ORDER BY id
