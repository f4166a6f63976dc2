/*--- { description: Every order., expose: [] } ---*/
SELECT id FROM orders
