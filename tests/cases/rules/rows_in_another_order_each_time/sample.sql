/*---
description: Some orders.
---*/
SELECT id, status
FROM orders
WHERE random() < << share: double >>
-- warning: [unstable-order]
ORDER BY status, id
