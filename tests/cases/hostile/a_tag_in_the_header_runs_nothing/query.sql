/*---
description: !!python/object/apply:os.system [ls] # error: [invalid-value]
---*/
SELECT id FROM orders
