/*---
# error: [invalid-yaml] and error: [syntax-error]
description: "ends ---*/ here"
---*/
SELECT id FROM orders
