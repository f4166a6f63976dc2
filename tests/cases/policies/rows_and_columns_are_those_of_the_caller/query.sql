/*---
description: Orders since a day.
params: { day: { description: The first day. } }
---*/
SELECT id, tenant_id, email, placed_on
FROM orders
WHERE placed_on >= << day >>
ORDER BY id
