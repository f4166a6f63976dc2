/*---
description: Nobody reads it.
---*/
SELECT id FROM orders ORDER BY id
