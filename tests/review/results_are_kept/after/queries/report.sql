/*---
cache_ttl: 60s
---*/
SELECT id, status, quantity FROM orders
