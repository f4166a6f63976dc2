/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM weather(city => << c >>, city => 'Ulm') AS w
