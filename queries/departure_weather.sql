/*---
title: Weather at departure
description: Each departure of one flight number with the weather at the airport in that hour, latest first. Delay in minutes, wind in miles per hour, rain in inches, visibility in miles.
tags: [weather, delays]
params:
  carrier: { description: Two-character carrier code., min_length: 2, max_length: 2, examples: [UA] }
  flight: { description: Flight number without the carrier code., minimum: 1, maximum: 9999, examples: [1545] }
  min_delay: { description: Smallest departure delay in minutes. }
columns:
  scheduled_hour: { description: Hour of the scheduled departure }
  temperature: { description: "In Fahrenheit; null, like the other weather columns, for an hour without a record" }
---*/
SELECT
  f.date,
  f.time_hour AS scheduled_hour,
  f.origin,
  f.dest,
  f.dep_delay,
  w.temp AS temperature,
  round(w.wind_speed, 0) AS wind_speed,
  w.precip AS precipitation,
  w.visib AS visibility
FROM flights AS f
LEFT JOIN weather AS w ON w.origin = f.origin AND w.time_hour = f.time_hour
WHERE f.carrier = << carrier >>
  AND f.flight = << flight >>
  [[ AND f.dep_delay >= << min_delay >> ]]
ORDER BY f.date DESC, f.origin
