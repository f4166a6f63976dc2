/*---
params:
  by:
    choices:
      status: status
      # error: [unknown-function]
      note: uper(note)
---*/
SELECT << by >> AS key, count(*) AS n FROM orders GROUP BY << by >> ORDER BY << by >>
