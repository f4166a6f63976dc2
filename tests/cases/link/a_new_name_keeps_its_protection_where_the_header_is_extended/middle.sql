/*---
extends: base
---*/
SELECT id, quantity FROM base
