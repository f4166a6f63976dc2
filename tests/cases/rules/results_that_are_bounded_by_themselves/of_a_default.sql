/*---
result_limit: none
---*/
SELECT id FROM orders ORDER BY id LIMIT << most = 5 >>
