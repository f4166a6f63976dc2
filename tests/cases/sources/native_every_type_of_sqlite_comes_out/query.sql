/*---
source: shop
---*/
SELECT id, i, b, r, f, n, free, x, v, u, j, d, dt, ts, tz, h, bl FROM t ORDER BY id
