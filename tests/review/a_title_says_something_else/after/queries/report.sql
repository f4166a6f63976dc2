/*---
title: All orders
---*/
SELECT id, status, quantity FROM orders
