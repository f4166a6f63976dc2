/*---
params:
  by:
    choices:
      # error: [unknown-column]
      state: statuss
      good: status
      # error: [unknown-column]
      note: upper(notee)
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1
