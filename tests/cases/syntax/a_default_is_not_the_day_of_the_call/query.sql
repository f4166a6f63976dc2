SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE day <= << until = current_date >>
