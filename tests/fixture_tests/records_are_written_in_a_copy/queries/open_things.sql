/*---
description: Things that are not done, by their title.
---*/
SELECT id, title, tags
FROM todo
WHERE done IS DISTINCT FROM true
ORDER BY title, id
