/*---
source: shop
---*/
SELECT id, b, i2, i8, f4, f8, n, free, m, v, c, e::text[] AS e, u, j, jb, d, h, ts, tz, iv, by, ip::text[] AS ip, few, day_end FROM native_arrays_of_every_type_come_out_of_postgres.t ORDER BY id
