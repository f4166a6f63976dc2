/*---
description: What was ordered.
---*/
SELECT id, email FROM orders ORDER BY id
