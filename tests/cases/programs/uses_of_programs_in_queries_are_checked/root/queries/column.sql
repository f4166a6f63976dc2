/*---
description: d
---*/
-- error: [unknown-column]
SELECT dy FROM weather(city => << c >>) AS w
