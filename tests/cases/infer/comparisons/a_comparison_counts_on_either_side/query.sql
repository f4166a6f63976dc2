SELECT count(*) AS n
FROM orders
WHERE << a >> = id AND << b >> <> quantity AND << c >> < price AND << d >> <= day AND << e >> > status
  AND << f >> >= placed_at
