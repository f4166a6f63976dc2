/*---
kind: view
rules:
  - { check: << lo >> <= << hi >>, message: The least must not be above the most. }
---*/
SELECT id FROM orders WHERE price BETWEEN << lo >> AND << hi >>
