/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM weather(<< c: text >>, 'metric') AS w
