/*---
expose: [limit, cursor]
---*/
SELECT a, b, n FROM t ORDER BY n
