/*---
params:
  by: { choices: { status: status, note: note } }
  sort: { choices: { most: orders DESC, least: orders } }
---*/
SELECT << by >> AS key, count(*) AS orders
FROM orders
-- error: [unknown-column]
WHERE prise > 5
GROUP BY 1
ORDER BY << sort >>, key
