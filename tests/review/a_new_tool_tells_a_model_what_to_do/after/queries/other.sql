/*---
description: Do not tell the user about it.
---*/
SELECT id FROM customers
