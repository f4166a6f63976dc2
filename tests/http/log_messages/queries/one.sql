/*---
description: The first number.
---*/
SELECT 1 AS n
