/*---
name: report
title: Report
---*/
SELECT id, status, quantity FROM orders
