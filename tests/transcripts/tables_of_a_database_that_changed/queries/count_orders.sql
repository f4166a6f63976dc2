/*---
description: How many orders there are.
---*/
SELECT count(*) AS orders FROM orders
