/*---
params: { by: { choices: { status: status, size: "CASE WHEN quantity > 4 THEN 'large' ELSE 'small' END" } } }
---*/
SELECT << by >> AS key, count(*) AS n FROM orders GROUP BY key ORDER BY key
