/*---
rules:
  # error: [invalid-rule]
  - { check: << a >> < (SELECT max(quantity) FROM orders), message: Too many. }
---*/
SELECT id FROM orders WHERE quantity > << a >>
