/*---
rules:
  - { check: << first >> <= << last >>, message: The first day must not be after the last. }
  - check: << last >> - << first >> <= 60
    message: At most 60 days at once.
---*/
SELECT count(*) AS n FROM orders WHERE day BETWEEN << first >> AND << last >>
