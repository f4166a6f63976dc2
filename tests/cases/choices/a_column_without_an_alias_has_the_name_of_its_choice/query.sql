/*---
params:
  by:
    choices:
      status: status
      # error: [choices-differ]
      note: note
---*/
SELECT << by >>, count(*) AS orders FROM orders GROUP BY 1
