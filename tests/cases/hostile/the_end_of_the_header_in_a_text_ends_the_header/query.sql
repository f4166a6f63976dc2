/*---
# error: [invalid-yaml]
description: "ends ---*/ here"
---*/
SELECT id FROM orders
