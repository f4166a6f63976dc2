/*---
kind: view
---*/
SELECT price FROM orders WHERE id = << id >>
