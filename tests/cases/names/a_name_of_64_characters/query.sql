/*---
name: all orders of all customers that were returned or cancelled by u
---*/
SELECT id FROM orders
