/*---
description: An order by its number.
---*/
SELECT "OrderId", "Total" FROM orders WHERE "OrderId" = << id >>
