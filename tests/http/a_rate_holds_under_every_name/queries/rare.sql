/*---
description: One call a second.
aliases: [seldom]
calls_per_second: 1
---*/
SELECT 1 AS one
