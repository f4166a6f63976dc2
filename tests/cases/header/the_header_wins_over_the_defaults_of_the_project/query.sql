/*---
result_limit: none
table_format: structured
timeout: 2m
---*/
SELECT id FROM orders WHERE id = << id >>
