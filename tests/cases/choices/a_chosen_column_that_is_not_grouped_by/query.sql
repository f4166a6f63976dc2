/*---
params:
  by:
    choices:
      status: status
      # error: [invalid-query]
      note: note
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY status
