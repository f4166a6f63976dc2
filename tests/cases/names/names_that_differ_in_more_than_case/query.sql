/*--- { name: lateorders } ---*/
SELECT id FROM orders
