SELECT id, 'order' AS kind FROM orders WHERE id = << id >>
UNION ALL
SELECT id, 'customer' FROM customers WHERE id = << id >>
ORDER BY kind
