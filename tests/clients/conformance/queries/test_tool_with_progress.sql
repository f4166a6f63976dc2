/*---
description: Counts for longer than it may, so that a client is told three times that it is running, and then that it took too long.
timeout: 4s
expose: []
---*/
SELECT count(*) AS pairs
FROM generate_series(1, 10000000) AS a (x)
JOIN generate_series(1, 10000000) AS b (y) ON a.x % 1000 < b.y % 1000
