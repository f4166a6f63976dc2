/*--- { description: Every order., expose: [limit], result_limit: 20, default_limit: 5, table_format: structured } ---*/
SELECT id FROM orders
