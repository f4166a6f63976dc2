/*---
description: All orders.
# error: [invalid-setting]
scopes: [a b]
---*/
SELECT id FROM orders ORDER BY id LIMIT 5
