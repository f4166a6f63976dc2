/*---
params:
  by: { choices: { all: "'all'", note: note } }
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders WHERE id IN (4, 5) GROUP BY 1 ORDER BY 1
