-- warning: [missing-description]
SELECT id FROM orders
