/*---
description: What customers spent.
params:
  sort: { description: The order., choices: { most: count(*) DESC, spent: sum(price) DESC } }
---*/
SELECT count(*) AS n
FROM orders
GROUP BY customer_id
-- warning: [unstable-order]
ORDER BY << sort >>
