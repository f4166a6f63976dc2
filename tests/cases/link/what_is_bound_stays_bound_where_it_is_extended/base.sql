/*---
params: { customer: { from: claim.customer } }
---*/
SELECT id, customer_id FROM orders WHERE customer_id = << customer >>
