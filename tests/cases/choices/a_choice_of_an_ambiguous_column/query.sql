/*---
params:
  key:
    choices:
      order: o.id
      # error: [ambiguous-column]
      any: id
---*/
SELECT o.day FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE << key >> > 3 ORDER BY o.day
