/*--- { name: late_orders } ---*/
SELECT id FROM orders
