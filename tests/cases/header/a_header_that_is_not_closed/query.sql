/*--- # error: [unclosed-header]
description: Orders.
---
SELECT id FROM orders
