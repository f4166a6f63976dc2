/*---
description: Orders that others did not make.
---*/
SELECT id,
  (SELECT count(*) FROM customers WHERE city = << city?: text >>) AS of_city,
  CASE WHEN EXISTS (SELECT 1 FROM customers WHERE name = << name?: text >>) THEN 'y' ELSE 'n' END AS is_known
FROM orders WHERE id < 100
EXCEPT
SELECT id, 0, 'n' FROM orders WHERE status = << status?: text >>
UNION ALL
SELECT id, 1, 'x' FROM orders WHERE quantity = << quantity?: int >>
ORDER BY id LIMIT 10
