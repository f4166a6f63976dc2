/*---
description: One call a second.
calls_per_second: 1
---*/
SELECT 1 AS one
