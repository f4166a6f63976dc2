/*---
description: Orders of an address.
params: { email: { description: The address., allowed_values: { query: SELECT DISTINCT email FROM orders } } } # error: [bypassed-policy]
---*/
SELECT id FROM orders WHERE email = << email >> ORDER BY id
