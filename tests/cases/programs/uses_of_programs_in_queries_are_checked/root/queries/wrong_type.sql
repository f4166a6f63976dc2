/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM weather(city => << c >>, days => 'three') AS w
