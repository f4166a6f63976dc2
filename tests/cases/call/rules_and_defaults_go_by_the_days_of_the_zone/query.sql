/*---
rules:
  - { check: << since >> >= << day >>, message: since lies before the day }
  - { check: CAST(<< since >> AS date) = << day >>, message: since is of another day }
---*/
SELECT
    << since: timestamptz = date_trunc('day', now()) >> AS since,
    << day: date = CAST(now() AS date) >> AS day,
    << clock: timestamp = date_trunc('hour', now()) >> AS clock
