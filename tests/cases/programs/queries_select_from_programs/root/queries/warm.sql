/*---
description: d
---*/
SELECT day, degrees, note FROM weather(city => << town >>, units => 'metric') AS w
WHERE degrees > << least >>
ORDER BY day DESC
