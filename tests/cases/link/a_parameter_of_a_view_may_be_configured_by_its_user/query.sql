/*---
params: { status: { description: The status., default: open } }
---*/
SELECT id FROM by_status ORDER BY id
