/*---
description: With addresses.
---*/
SELECT id, email -- error: [unknown-column]
FROM orders
ORDER BY id
