/*---
description: Each of the flights.

---*/
SELECT id FROM flights ORDER BY id
