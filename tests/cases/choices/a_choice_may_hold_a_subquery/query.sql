/*---
params:
  bar:
    choices:
      fixed: "80.0"
      mean: (SELECT avg(price) FROM orders)
      vips: (SELECT avg(price) FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE vip))
---*/
SELECT id FROM orders WHERE price > << bar >> ORDER BY id
