SELECT id, b, i2, i8, f4, f8, n, free, m, v, c, e, u, j, jb, d, h, ts, tz, iv, by, ip, few, day_end FROM t ORDER BY id
