/*---
source: shop
result_limit: 3
---*/
SELECT id, customer FROM native_pages_go_by_the_key_of_mysql.orders WHERE customer LIKE << customer >> ORDER BY id DESC
