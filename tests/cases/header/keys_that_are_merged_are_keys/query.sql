/*---
<<: { result_limit: 5 }
---*/
SELECT id FROM orders
