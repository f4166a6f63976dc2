/*---
description: Flights of an airline.
params:
  name: { description: Name. }
---*/
SELECT f.id FROM flights AS f JOIN airlines AS a ON a.carrier = f.carrier WHERE a.name = << name >> ORDER BY f.id
