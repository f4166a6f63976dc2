/*---
params: { since: { default: { sql: current_date - 30 } } }
rules:
  - { check: << since >> <= << until >>, message: The first day must not be after the last. }
---*/
SELECT count(*) AS n FROM orders WHERE day BETWEEN << since >> AND << until = current_date >>
