/*---
description: Which of the columns may be null that joins make of two.
---*/
SELECT r.id AS right_id, f.id AS full_id
FROM (SELECT id, name FROM orders RIGHT JOIN customers USING (id)) AS r
CROSS JOIN (SELECT id FROM orders FULL JOIN customers USING (id)) AS f
WHERE r.name = << name >>
