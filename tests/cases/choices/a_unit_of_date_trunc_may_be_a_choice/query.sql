/*---
params:
  every: { choices: { monthly: "'month'", quarterly: "'quarter'" } }
---*/
SELECT date_trunc(<< every >>, placed_at) AS start, count(*) AS orders FROM orders GROUP BY 1 ORDER BY 1
