/*---
expose: [limit, cursor]
---*/
SELECT day, count(*) AS n FROM t GROUP BY day ORDER BY day
