/*---
description: d
---*/
-- error: [unknown-table]
SELECT day FROM wether(city => << c >>) AS w
