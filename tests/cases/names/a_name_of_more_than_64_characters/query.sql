/*---
# error: [invalid-name]
name: all orders of all customers that were returned or cancelled this year
---*/
SELECT id FROM orders
