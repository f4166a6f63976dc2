/*---
source: shop
---*/
SELECT `customer`, COUNT(*) AS orders, GROUP_CONCAT(id ORDER BY id DESC SEPARATOR '-') AS ids,
  SUM(total) AS total, MAX(DATE_FORMAT(placed, '%Y-%m')) AS month, # a comment
  MAX(day) + INTERVAL 1 DAY AS later, JSON_VALUE(MAX(note), "$.by") AS note, 7 -'1' AS six
FROM native_sql_runs_in_mysql.orders
WHERE placed >= << since: timestamptz >> AND customer <=> customer -- another
GROUP BY customer
ORDER BY customer
