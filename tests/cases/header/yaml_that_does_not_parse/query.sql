/*---
# error: [invalid-yaml]
description: one: two
---*/
SELECT id FROM orders
