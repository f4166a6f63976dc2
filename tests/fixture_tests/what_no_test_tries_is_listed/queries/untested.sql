/*---
description: Every one of the flights.

---*/
SELECT id FROM flights ORDER BY id
