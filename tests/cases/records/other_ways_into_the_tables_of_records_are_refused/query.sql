/*---
description: How many there are.
---*/
SELECT count(*) AS n
FROM plain
