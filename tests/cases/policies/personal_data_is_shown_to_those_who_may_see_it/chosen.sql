/*---
description: What is asked for of every order.
params: { what: { description: What to list., choices: { id: tenant, address: email } } }
---*/
-- The second choice shows it.
SELECT id, << what >> AS value -- warning: [unmasked-pii]
FROM (SELECT id, email, CAST(parts AS text) AS tenant FROM orders)
ORDER BY id
