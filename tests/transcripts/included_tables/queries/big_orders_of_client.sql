/*---
description: Large orders of a client, the first ones first.
---*/
SELECT o.order_id, b.total, c.name
FROM (SELECT "OrderId" AS order_id, "CustomerId" AS client FROM orders) o
JOIN (SELECT "OrderId" AS order_id, "Total" AS total FROM big_orders) b ON b.order_id = o.order_id
JOIN (SELECT "CustomerId" AS client, "Name" AS name FROM clients) c ON c.client = o.client
WHERE c.client = << client >>
ORDER BY o.order_id
