/*---
# error: [invalid-setting]
extends: other
---*/
SELECT id FROM orders LIMIT 5
