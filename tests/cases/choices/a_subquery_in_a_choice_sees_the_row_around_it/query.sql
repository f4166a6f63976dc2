/*---
params:
  show:
    choices:
      name: (SELECT max(c.name) FROM customers AS c WHERE c.id = o.customer_id)
      status: o.status
---*/
SELECT o.id, << show >> AS show FROM orders AS o WHERE o.id <= 3 ORDER BY o.id
