/*---
description: How many things are open.
---*/
SELECT count(*) AS open
FROM todo
