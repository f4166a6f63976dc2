/*---
description: d
---*/
SELECT s.text FROM said(word => 'x') AS s
WHERE true [[ AND EXISTS (SELECT 1 FROM weather(city => << c >>) AS w WHERE w.degrees > << least: double >>) ]]
