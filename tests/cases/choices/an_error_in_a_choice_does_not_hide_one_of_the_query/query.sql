/*---
params:
  by:
    choices:
      # error: [unknown-column]
      status: statuss
      note: note
---*/
SELECT << by >> AS key, count(*) AS orders
FROM orders
-- error: [unknown-column]
WHERE prise > 5
GROUP BY 1
