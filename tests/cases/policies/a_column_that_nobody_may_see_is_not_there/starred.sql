/*---
description: All that is there, of orders that everybody may see.
lints: { select-star: allow }
---*/
SELECT *
FROM orders
ORDER BY id
