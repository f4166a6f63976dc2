/*---
description: The orders of a customer.
params: { customer: { description: The customer. } }
---*/
SELECT id, placed FROM orders WHERE customer = << customer >> ORDER BY id
