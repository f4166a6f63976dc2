/*---
title: Route summary
description: Who flies a route and how well, over the flights that left. One row per airline, most flights first; delays and time in the air in minutes, distance in miles.
tags: [routes]
params:
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
  dest: { description: Code of the airport of arrival., pattern: "^[A-Z]{3}$", examples: [LAX, BOS] }
table_format: structured
---*/
SELECT
  airline,
  carrier,
  count(*) AS flights,
  min(distance) AS distance,
  round(avg(air_time), 0) AS average_air_time,
  median(dep_delay) AS median_dep_delay,
  round(avg(arr_delay), 1) AS average_arr_delay,
  max(arr_delay) AS worst_arr_delay
FROM departed_flights
WHERE origin = << origin >> AND dest = << dest >>
GROUP BY airline, carrier
ORDER BY flights DESC, carrier
