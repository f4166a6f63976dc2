/*---
extends: base
---*/
SELECT id FROM base(customer => << other >>) ORDER BY id
