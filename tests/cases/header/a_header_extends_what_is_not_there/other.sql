/*---
# error: [invalid-setting]
extends: third
---*/
SELECT id FROM orders LIMIT 5
