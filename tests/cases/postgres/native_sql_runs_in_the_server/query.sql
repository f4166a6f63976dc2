/*---
source: shop
---*/
SELECT id, customer, total, placed AT TIME ZONE 'Europe/Berlin' AS local, day
FROM native_sql_runs_in_the_server.orders
WHERE id >= << first >>
ORDER BY id
