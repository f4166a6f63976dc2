/*---
kind: view
description: Half of the flights.
---*/
SELECT id FROM flights WHERE id % 2 = 0
