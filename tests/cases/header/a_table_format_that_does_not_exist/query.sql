/*---
# error: [invalid-value]
table_format: json
---*/
SELECT id FROM orders
