/*---
description: d
---*/
-- error: [unknown-parameter] error: [unknown-parameter]
SELECT day FROM weather(town => << c >>, unit => 'metric') AS w
