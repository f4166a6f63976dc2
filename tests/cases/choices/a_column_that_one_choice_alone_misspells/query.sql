/*---
params:
  by:
    choices:
      status: status
      # error: [unknown-column]
      note: notee
  sort: { choices: { most: orders DESC, least: orders } }
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1 ORDER BY << sort >>, key
