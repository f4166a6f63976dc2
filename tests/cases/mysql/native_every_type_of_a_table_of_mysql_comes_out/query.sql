/*---
source: shop
---*/
SELECT id, t1, ti, tu, si, su, mi, i, iu, bi, bu, f, db, n, big, b1, b9, y, d, dt, ts, h, c, v, x, e, s, j, bn, vb, bl, u, ip, flag, clock FROM native_every_type_of_a_table_of_mysql_comes_out.t ORDER BY id
