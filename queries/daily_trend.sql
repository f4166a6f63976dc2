/*---
description: Flights and average departure delay of one airline day by day, with the average of the last seven days. One row per day, delays in minutes.
tags: [airlines, trends]
params:
  carrier: { description: Two-character carrier code., min_length: 2, max_length: 2 }
  last_day: { description: Last day to show. }
  period: { description: How far back to go from the last day., examples: [P30D, 2 weeks] }
columns:
  seven_day_delay: { description: Average of the daily averages of this day and the six before it }
table_format: toon
---*/
WITH daily AS (
  SELECT date, count(*) AS flights, avg(dep_delay) AS delay
  FROM departed_flights
  WHERE carrier = << carrier >>
  GROUP BY date
),
smoothed AS (
  SELECT
    date,
    flights,
    round(delay, 1) AS average_dep_delay,
    round(avg(delay) OVER (ORDER BY date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 1) AS seven_day_delay
  FROM daily
)
SELECT date, flights, average_dep_delay, seven_day_delay
FROM smoothed
WHERE date <= << last_day = DATE '2013-12-31' >>
  AND date > << last_day >> - << period = INTERVAL '30 days' >>
ORDER BY date
