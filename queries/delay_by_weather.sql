/*---
description: Departure delay in each kind of weather, worst first. One row per kind of weather; a flight counts once, under the first kind that fits. Delays in minutes.
tags: [weather, delays]
params:
  poor_visibility: { description: Visibility in miles below which it is poor., exclusive_minimum: 0, maximum: 10 }
  strong_wind: { description: Wind in miles per hour from which it is strong., exclusive_minimum: 0 }
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
columns:
  weather: { description: "poor visibility, rain or snow, strong wind, fair; tried in this order" }
  late_percent: { description: "Percent of these flights that left at least 15 minutes late, 0 to 100" }
---*/
WITH sorted_flights AS (
  SELECT
    CASE
      WHEN w.visib < << poor_visibility = 3.0 >> THEN 'poor visibility'
      WHEN w.precip > 0 THEN 'rain or snow'
      WHEN w.wind_speed >= << strong_wind = 20.0 >> THEN 'strong wind'
      ELSE 'fair'
    END AS weather,
    f.dep_delay
  FROM flights AS f
  JOIN weather AS w USING (origin, time_hour)
  WHERE f.dep_delay IS NOT NULL
    [[ AND f.origin = << origin >> ]]
)
SELECT
  weather,
  count(*) AS flights,
  round(avg(dep_delay), 1) AS average_dep_delay,
  round(100.0 * count(*) FILTER (WHERE dep_delay >= 15) / count(*), 1) AS late_percent
FROM sorted_flights
GROUP BY weather
ORDER BY average_dep_delay DESC, weather
