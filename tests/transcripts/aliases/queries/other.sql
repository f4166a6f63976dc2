/*---
description: All orders.
tags: [other]
---*/
SELECT id FROM orders ORDER BY id LIMIT 5
