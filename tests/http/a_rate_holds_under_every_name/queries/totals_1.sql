/*---
name: totals
version: "1"
description: One call a second, whichever version is meant.
calls_per_second: 1
---*/
SELECT 1 AS one
