/*---
source: shop
expose: [cursor] # error: [invalid-setting]
---*/
SELECT id, generate_series(1, 2) AS n FROM native_no_pages_where_rows_become_several.orders ORDER BY id
