/*---
description: Flights that somebody has made a note on, with how late each left, the latest first.
params:
  topic: { description: Only notes on this., allowed_values: [delay, weather, other], examples: [delay] }
---*/
SELECT n.date, n.carrier, n.flight, f.origin, f.dep_delay, n.topic, n.note
FROM notes AS n
  JOIN flights AS f ON f.date = n.date AND f.carrier = n.carrier AND f.flight = n.flight
WHERE true [[ AND n.topic = << topic >> ]]
ORDER BY f.dep_delay DESC NULLS LAST, n.id, f.origin
