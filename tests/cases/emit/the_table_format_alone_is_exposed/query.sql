/*--- { description: Every order., expose: [table_format], table_format: toon } ---*/
SELECT id FROM orders
