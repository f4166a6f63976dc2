/*---
description: All rows of p.
---*/
SELECT id
FROM p
ORDER BY id
