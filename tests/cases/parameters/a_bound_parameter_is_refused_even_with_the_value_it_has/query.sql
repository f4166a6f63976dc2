/*---
params: { customer: { from: claim.customer } }
---*/
SELECT count(*) AS orders FROM orders WHERE customer_id = << customer >> [[ AND status = << status >> ]]
