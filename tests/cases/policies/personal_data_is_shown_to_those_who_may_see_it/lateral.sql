/*---
description: Addresses by a way round.
---*/
SELECT
  o.id,
  x.address -- warning: [unmasked-pii]
FROM orders AS o CROSS JOIN UNNEST(make_array(o.email)) AS x(address)
ORDER BY o.id, x.address
