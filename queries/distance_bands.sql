/*---
description: Flights grouped into short, medium and long by distance, with their delays in minutes. One row per band, shortest first.
tags: [routes, delays]
params:
  short_below: { description: Flights under this many miles are short., minimum: 1 }
  long_from: { description: Flights of this many miles or more are long., minimum: 1 }
  carriers: { description: Carrier codes to count; all when absent., examples: [[DL, AA]] }
---*/
SELECT
  CASE
    WHEN distance < << short_below = 500 >> THEN 'short'
    WHEN distance < << long_from = 1500 >> THEN 'medium'
    ELSE 'long'
  END AS band,
  count(*) AS flights,
  min(distance) AS shortest_miles,
  max(distance) AS longest_miles,
  round(avg(dep_delay), 1) AS average_dep_delay,
  round(avg(arr_delay), 1) AS average_arr_delay,
  round(avg(60.0 * distance / air_time), 0) AS average_miles_per_hour
FROM departed_flights
WHERE air_time IS NOT NULL
  [[ AND carrier IN << carriers >> ]]
GROUP BY band
ORDER BY shortest_miles
