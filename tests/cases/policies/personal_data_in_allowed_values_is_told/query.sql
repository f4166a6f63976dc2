/*---
description: The orders of an address.
params:
  email:
    description: The address.
    allowed_values: { query: SELECT DISTINCT email FROM orders } # warning: [unmasked-pii]
---*/
SELECT id, total FROM orders WHERE email = << email >> ORDER BY id
