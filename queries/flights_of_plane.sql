/*---
description: Flights of one plane from New York in time order, with what the plane is. One row per flight, delays in minutes.
tags: [planes]
params:
  tailnum: { description: Tail number., pattern: "^[A-Z][0-9A-Z]{4,5}$", examples: [N14228] }
  since: { description: First day of departure. }
  until: { description: Last day of departure; the last day of the data when absent. }
---*/
SELECT
  f.date,
  f.sched_dep_time,
  f.carrier,
  f.flight,
  f.origin,
  f.dest,
  f.dep_delay,
  f.arr_delay,
  p.manufacturer,
  p.model,
  p.seats
FROM flights AS f
LEFT JOIN planes AS p ON p.tailnum = f.tailnum
WHERE f.tailnum = << tailnum >>
  AND f.date >= << since = DATE '2013-01-01' >>
  AND f.date <= coalesce(<< until? >>, DATE '2013-12-31')
ORDER BY f.date, f.sched_dep_time, f.carrier, f.flight, f.origin
