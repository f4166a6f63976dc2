/*---
description: Orders with their customers.
---*/
WITH known AS (SELECT id, city FROM customers WHERE name = << name?: text >>),
  late AS (SELECT id, customer_id FROM orders WHERE day > << since?: date >>),
  spare AS (SELECT id FROM orders WHERE quantity = << quantity?: int >>)
SELECT late.id, c.city, known.city AS known_city, p.name
FROM late
LEFT JOIN customers AS c ON c.id = late.customer_id AND c.city = << city?: text >>
LEFT JOIN known ON known.id = late.customer_id
LEFT JOIN (SELECT id, name FROM customers WHERE vip = << vip?: boolean >>) AS p ON p.id = late.customer_id
WHERE late.id NOT IN (SELECT id FROM spare WHERE id IS NOT NULL)
ORDER BY late.id LIMIT 10
