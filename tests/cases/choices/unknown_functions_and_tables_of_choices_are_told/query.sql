/*---
params:
  by:
    choices:
      good: status
      # error: [unknown-function]
      upper: uper(status)
      # error: [unknown-table]
      name: (SELECT max(name) FROM custmers)
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1
