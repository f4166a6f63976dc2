/*---
description: Routes that only a few airlines fly, busiest first. One row per route.
tags: [routes]
params:
  max_carriers: { description: Most airlines on the route., minimum: 1 }
  min_flights: { description: Routes with fewer flights in the year are left out., minimum: 1 }
  min_distance: { description: Shortest distance in miles., minimum: 0 }
  carrier: { description: Only routes that this airline flies. }
columns:
  carriers: { description: "Carrier codes, separated by commas" }
---*/
SELECT
  f.origin,
  f.dest,
  count(*) AS flights,
  min(f.distance) AS distance_miles,
  string_agg(DISTINCT f.carrier, ', ' ORDER BY f.carrier) AS carriers
FROM flights AS f
WHERE f.distance >= << min_distance = 0 >>
  [[ AND EXISTS (
    SELECT 1
    FROM flights AS own
    WHERE own.origin = f.origin AND own.dest = f.dest AND own.carrier = << carrier >>
  ) ]]
GROUP BY f.origin, f.dest
HAVING count(DISTINCT f.carrier) <= << max_carriers = 1 >>
  AND count(*) >= << min_flights = 100 >>
ORDER BY flights DESC, f.origin, f.dest
