/*--- { name: my.greet tool (v2) } ---*/
SELECT id FROM orders
