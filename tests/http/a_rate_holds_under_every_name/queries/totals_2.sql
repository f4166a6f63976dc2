/*---
name: totals
version: "2"
description: One call a second, whichever version is meant.
calls_per_second: 1
---*/
SELECT 2 AS one
