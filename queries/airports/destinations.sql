/*---
title: Destinations
description: Airports that can be reached without a stop from a New York airport, by name. One row per destination, distance in miles.
tags: [airports, routes]
params:
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
  carriers: { description: Carrier codes to count; all when absent. }
  zones: { description: Time zones of the destinations; all when absent., examples: [[America/Denver, America/Phoenix]] }
  max_distance: { description: Largest distance in miles., exclusive_minimum: 0 }
columns:
  name: { description: Name of the airport; null in Puerto Rico and the Virgin Islands }
---*/
SELECT
  f.dest,
  d.name,
  d.tzone AS time_zone,
  max(f.distance) AS distance,
  count(*) AS scheduled_flights
FROM flights AS f
LEFT JOIN airports AS d ON d.faa = f.dest
WHERE f.origin = << origin >>
  [[ AND f.carrier IN << carriers >> ]]
  [[ AND d.tzone IN << zones >> ]]
  [[ AND f.distance <= << max_distance >> ]]
GROUP BY f.dest, d.name, d.tzone
ORDER BY d.name NULLS LAST, f.dest
