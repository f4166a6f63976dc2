/*---
# error: [invalid-yaml]
description: "Orders
---*/
SELECT id FROM orders LIMIT 5
