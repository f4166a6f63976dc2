/*---
description: Orders of a status.
---*/
SELECT id FROM orders
WHERE (<< status?: text >>::text IS NULL OR status = << status >>)
  AND (CAST(<< note?: text >> AS text) IS NULL OR note = << note >>)
  AND (status, customer_id) = ('open', << customer?: bigint >>)
  AND (status, quantity) <> ('open', << quantity?: bigint >>)
ORDER BY id LIMIT 10
