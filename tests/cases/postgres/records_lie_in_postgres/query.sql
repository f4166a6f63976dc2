/*---
description: How many things are open.
---*/
SELECT count(*) AS open
FROM todo
WHERE done IS DISTINCT FROM true
