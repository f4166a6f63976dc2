/*---
description: d
---*/
SELECT count(*) AS n, max(degrees) AS most, count(note) AS noted FROM weather
