/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM weather(city => << c >>, units => 'kelvin') AS w
