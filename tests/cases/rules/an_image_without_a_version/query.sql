/*--- { description: All orders. } ---*/
SELECT id FROM orders ORDER BY id LIMIT 5
