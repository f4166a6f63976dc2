/*---
description: Orders that are open.
---*/
SELECT id, customer, total FROM orders WHERE status = 'open' ORDER BY id
