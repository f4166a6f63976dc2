/*---
description: Few bytes.
max_bytes: 40B
expose: []
---*/
SELECT value AS n FROM generate_series(1, 50) ORDER BY value
