/*--- { description: Every order. } ---*/
SELECT id, status FROM orders
