SELECT count(*) AS n
FROM types
WHERE small + << a >> > 0 AND medium - << b >> < 9 AND << c >> * id > 1 AND << e >> / medium = 5
  AND small % << f >> = 0
