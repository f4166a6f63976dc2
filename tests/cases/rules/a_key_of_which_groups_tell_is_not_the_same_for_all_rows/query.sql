/*---
description: Customers by how near their number of orders is to one.
---*/
SELECT customer_id, count(*) AS n, rank() OVER (ORDER BY abs(count(1) - << near: bigint >>)) AS place
FROM orders GROUP BY customer_id
ORDER BY abs(count(*) - << near >>), count(*) > << more: bigint >> DESC, customer_id
