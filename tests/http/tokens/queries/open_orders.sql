/*--- { description: Number of open orders of the caller., params: { tenant: { from: claim.tenant_id } } } ---*/
SELECT count(*) AS n FROM orders WHERE tenant = << tenant >> AND status = 'open'
