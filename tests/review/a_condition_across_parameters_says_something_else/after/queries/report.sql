/*---
rules:
  - { check: "<< first >> <= << last >>", message: Send the days in their order. }
---*/
SELECT id
FROM orders
WHERE day BETWEEN << first >> AND << last >>
