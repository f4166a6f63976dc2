/*---
description: Every order.
tags: [orders, all]
version: "1.2.0"
meta: { owner: shop, levels: [1, 2], nested: { deep: true } }
---*/
SELECT id FROM orders
