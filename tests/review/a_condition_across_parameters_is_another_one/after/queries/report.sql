/*---
rules:
  - { check: "<< first >> < << last >>", message: The first day comes first. }
---*/
SELECT id
FROM orders
WHERE day BETWEEN << first >> AND << last >>
