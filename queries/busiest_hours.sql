/*---
description: Hours of the day with the most departures. One row per hour of the scheduled departure, busiest first; delay in minutes.
tags: [airports, trends]
params:
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
  months: { description: "Months to count, 1 to 12; all when absent." }
  weekends: { description: Whether Saturdays and Sundays count. }
columns:
  hour: { description: "New York time, 0 to 23" }
result_limit: 24
---*/
SELECT
  hour,
  count(*) AS departures,
  count(DISTINCT date) AS days,
  round(1.0 * count(*) / count(DISTINCT date), 1) AS departures_per_day,
  round(avg(dep_delay), 1) AS average_dep_delay
FROM departed_flights
WHERE origin = << origin >>
  AND (<< weekends = true >> OR weekday BETWEEN 1 AND 5)
  [[ AND month IN << months >> ]]
GROUP BY hour
ORDER BY departures DESC, hour
