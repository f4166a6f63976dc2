/*---
description: Orders of a status, and again.
---*/
SELECT id FROM orders WHERE status = << status?: text >>
UNION ALL
(SELECT id FROM orders WHERE status <> 'x' AND note = << status >> INTERSECT SELECT id FROM orders WHERE day = << day?: date >>)
ORDER BY id LIMIT 10
