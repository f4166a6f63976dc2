/*---
result_limit: none
---*/
SELECT min(day) AS first_day, count(*) - count(note) AS without_note FROM orders
