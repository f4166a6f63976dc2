/*---
source: shop
---*/
SELECT id, CONCAT('day ', << d: date >>) AS text, CAST(<< d >> AS CHAR) AS day, << d >> + INTERVAL 1 DAY AS next
FROM native_a_day_is_a_day_to_mysql.orders
WHERE CAST(d AS CHAR) = CAST(<< d >> AS CHAR) AND d = << d >> AND d IN (<< d >>, << other: date >>) AND d LIKE << d >>
  AND ts >= << d >> AND << d >> BETWEEN DATE(ts) AND ts
ORDER BY id
