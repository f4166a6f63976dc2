/*---
params:
  least:
    choices:
      mean: (SELECT avg(quantity) FROM orders)
      of_the_customer: "(SELECT max(o.quantity) FROM orders o WHERE o.customer_id = 2)"
      eight: "8"
---*/
SELECT id FROM orders WHERE quantity >= << least >> ORDER BY id
