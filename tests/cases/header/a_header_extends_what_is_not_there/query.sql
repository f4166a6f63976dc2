/*---
# error: [invalid-setting]
extends: bse
---*/
SELECT id FROM orders LIMIT 5
