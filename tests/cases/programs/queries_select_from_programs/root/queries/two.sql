/*---
description: d
---*/
SELECT a.day, a.degrees AS here, b.degrees AS there
FROM weather(city => << here >>, days => 2) AS a
JOIN weather(city => << there >>, days => << days >>) AS b ON a.day = b.day
ORDER BY a.day
