SELECT o.id
FROM orders o
-- error: [invalid-query]
JOIN customers c ON o.status = c.id
-- error: [invalid-query]
WHERE o.note IN (SELECT id FROM customers)
  AND c.city = << city >>
