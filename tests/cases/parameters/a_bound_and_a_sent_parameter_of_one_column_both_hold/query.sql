/*---
params: { tenant: { from: claim.tenant, minimum: 1, maximum: 5 } }
---*/
-- calls: 5, 0, 5, not permitted
SELECT count(*) AS n FROM orders WHERE customer_id = << tenant >> [[ AND customer_id IN << customers >> ]]
