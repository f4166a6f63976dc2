/*---
description: Orders by a number that each page would have another of.
---*/
SELECT status
FROM orders
-- warning: [unstable-order]
ORDER BY price * << share: double = random() >>
