/*---
result_limit: none
---*/
SELECT status FROM orders WHERE id = << id >>
