/*---
params: { customer: { from: claim.customer } }
---*/
-- calls: 5, 2, not permitted: no claim leaves out no condition
SELECT count(*) AS n FROM orders WHERE id > 0 [[ AND customer_id = << customer >> ]] [[ AND status = << status >> ]]
