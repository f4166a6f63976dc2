/*---
description: The address of a customer.
params: { name: { description: The customer. } }
---*/
SELECT mail FROM customers WHERE name = << name >>
