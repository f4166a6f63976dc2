/*---
description: "Orders\u200b."
---*/
SELECT id, status, quantity FROM orders
