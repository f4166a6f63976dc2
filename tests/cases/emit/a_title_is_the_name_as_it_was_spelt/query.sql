/*--- { name: All Open Orders, description: Open orders. } ---*/
SELECT id FROM orders WHERE status = 'open'
