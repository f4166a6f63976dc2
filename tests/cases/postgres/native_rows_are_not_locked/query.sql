/*---
source: shop
---*/
SELECT id FROM native_rows_are_not_locked.orders FOR NO KEY UPDATE -- error: [foreign-statement]
