/*---
description: d
---*/
SELECT day FROM weather(city => << c >>) AS w
