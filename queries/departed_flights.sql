/*---
kind: view
description: Flights that left, one row each, with the airline's name and the parts of the date; cancelled flights are left out.
columns:
  month: { description: "Month of the year, 1 to 12" }
  weekday: { description: "Day of the week, 0 is Sunday" }
  hour: { description: "Hour of the scheduled departure, New York time, 0 to 23" }
---*/
SELECT
  f.date,
  extract(month FROM f.date) AS month,
  extract(dow FROM f.date) AS weekday,
  CAST(f.sched_dep_time / 100 AS int) AS hour,
  f.carrier,
  a.name AS airline,
  f.flight,
  f.tailnum,
  f.origin,
  f.dest,
  f.dep_delay,
  f.arr_delay,
  f.air_time,
  f.distance
FROM flights AS f
JOIN airlines AS a ON a.carrier = f.carrier
WHERE f.dep_time IS NOT NULL
