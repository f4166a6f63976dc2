/*---
# error: [invalid-setting]
extends: othr
---*/
SELECT id FROM orders LIMIT 5
