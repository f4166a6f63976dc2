/*---
params:
  bar:
    choices:
      fixed: "60.0"
      # error: [query-cycle]
      own: (SELECT max(price) FROM query)
---*/
SELECT price FROM orders WHERE price > << bar >> ORDER BY id
