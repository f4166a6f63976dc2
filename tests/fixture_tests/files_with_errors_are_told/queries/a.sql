/*---
description: All flights.
tests:
  - name: in the header
    expects: { count: 1 }
---*/
SELECT id FROM flights ORDER BY id
