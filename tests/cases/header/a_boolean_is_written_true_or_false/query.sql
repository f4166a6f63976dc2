/*---
# error: [invalid-value]
count_total: yes
---*/
SELECT id FROM orders
