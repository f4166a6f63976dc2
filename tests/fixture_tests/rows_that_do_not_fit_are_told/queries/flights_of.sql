/*---
description: Flights of an airline.
params:
  carrier: { description: Carrier code. }
---*/
SELECT id, fare FROM flights WHERE carrier = << carrier >> ORDER BY id
