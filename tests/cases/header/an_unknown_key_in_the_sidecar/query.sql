/*---
title: Orders
---*/
SELECT id FROM orders
