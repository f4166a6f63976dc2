/*---
source: shop
params:
  what: { choices: { name: Name, number: CustomerId } }
---*/
SELECT << what >> FROM Customers -- error: [foreign-statement]
