/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM weather(city => upper('ulm')) AS w
