/*---
params: { by: { choices: { status: status, month: "to_char(day, '%Y-%m')" } } }
---*/
SELECT << by >> AS key, count(*) AS n FROM orders WHERE id <= 6 GROUP BY << by >> ORDER BY << by >> DESC
