/*---
result_limit: none
---*/
SELECT 1 AS one, 'two' AS two
