/*---
description: Share of flights that arrived on time, by month of departure. Cancelled and diverted flights count as not on time.
tags: [delays, trends]
params:
  max_delay: { description: "Largest arrival delay, in minutes, that still counts as on time.", minimum: 0 }
  carrier: { description: Two-character carrier code., min_length: 2, max_length: 2 }
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
columns:
  on_time_percent: { description: "Percent of the scheduled flights, 0 to 100" }
  cancelled: { description: Flights that never left }
result_limit: 12
---*/
SELECT
  extract(month FROM date) AS month,
  count(*) AS flights,
  count(*) FILTER (WHERE dep_time IS NULL) AS cancelled,
  round(100.0 * count(*) FILTER (WHERE arr_delay <= << max_delay = 15 >>) / count(*), 1) AS on_time_percent,
  round(avg(arr_delay), 1) AS average_arr_delay
FROM flights
WHERE true
  [[ AND carrier = << carrier >> ]]
  [[ AND origin = << origin >> ]]
GROUP BY extract(month FROM date)
ORDER BY month
