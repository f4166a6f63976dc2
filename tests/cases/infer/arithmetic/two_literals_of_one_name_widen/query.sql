SELECT count(*) AS n FROM orders WHERE << a >> > 1 AND << a >> < 2.5 AND << b >> < 2.5 AND << b >> > 1
