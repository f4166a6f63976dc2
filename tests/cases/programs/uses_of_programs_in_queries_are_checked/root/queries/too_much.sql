/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM weather(city => << c >>, days => 11) AS w
