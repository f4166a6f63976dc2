/*---
source: shop
params:
  what: { choices: { name: Name, number: CustomerId } } # error: [invalid-choice]
---*/
SELECT << what >> FROM Customers
