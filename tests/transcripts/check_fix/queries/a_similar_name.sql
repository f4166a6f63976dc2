/*---
description: A name that is spelt alike may be another one.
---*/
SELECT id, totl
FROM orders
ORDER BY id
