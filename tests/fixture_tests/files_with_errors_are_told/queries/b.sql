/*---
description: All flights.

---*/
SELECT id FROM flights ORDER BY id
