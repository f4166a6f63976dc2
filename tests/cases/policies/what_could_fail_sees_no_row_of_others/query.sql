/*---
description: Orders by tenant, with all that another query reads.
---*/
SELECT tenant_id, count(*) AS orders, (SELECT max(email) FROM orders) AS last
FROM orders
GROUP BY tenant_id
ORDER BY tenant_id
