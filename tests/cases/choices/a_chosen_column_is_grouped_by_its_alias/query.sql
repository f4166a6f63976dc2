/*---
params:
  by: { choices: { status: status, size: CASE WHEN quantity > 4 THEN 'many' ELSE 'few' END } }
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY key ORDER BY key
