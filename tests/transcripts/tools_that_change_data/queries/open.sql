/*---
description: What is not done.
---*/
SELECT id, title FROM notes WHERE status = 'open' ORDER BY id
