/*---
# error: [invalid-yaml]
description: Orders: the open ones
---*/
SELECT id FROM orders
