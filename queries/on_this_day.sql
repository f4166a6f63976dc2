/*---
description: >-
  Departures, cancellations and delays on one day of 2013 at each New York airport, delays in minutes.
tags: [delays]
params:
  day:
    description: The day; without it, the day of 2013 that is as far into the year as today.
    default: { sql: "DATE '2013-01-01' + CAST(least(date_part('doy', current_date), 365) - 1 AS int)" }
    minimum: 2013-01-01
    maximum: 2013-12-31
columns:
  flights: { description: Scheduled departures. }
  cancelled: { description: Those that never left. }
  mean_delay: { description: Mean departure delay of those that left. }
---*/
SELECT
  << day >> AS day,
  origin,
  count(*) AS flights,
  count(*) - count(dep_time) AS cancelled,
  round(avg(dep_delay), 1) AS mean_delay
FROM flights
WHERE date = << day >>
GROUP BY origin
ORDER BY origin
