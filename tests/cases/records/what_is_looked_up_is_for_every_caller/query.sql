/*---
description: How many things there are.
---*/
SELECT count(*) AS open
FROM t
