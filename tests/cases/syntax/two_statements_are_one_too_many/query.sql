SELECT id FROM orders;

-- error: [multiple-statements]
SELECT id FROM customers;
