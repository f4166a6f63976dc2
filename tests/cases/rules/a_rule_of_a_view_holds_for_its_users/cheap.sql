/*---
kind: view
rules:
  - { check: << most >> < 100, message: Only cheap orders. }
---*/
SELECT id, price FROM orders WHERE price < << most >>
