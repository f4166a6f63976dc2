/*---
description: Days on which departures from one airport went worst, highest average departure delay first. One row per day, delays in minutes.
tags: [delays]
params:
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
  first_day: { description: First day to look at. }
  last_day: { description: Last day to look at. }
  min_flights: { description: Days with fewer scheduled flights are left out., minimum: 1 }
  min_cancelled: { description: Keep only days with at least so many cancelled flights., minimum: 0 }
default_limit: 10
---*/
SELECT
  date,
  count(*) AS scheduled,
  count(*) - count(dep_time) AS cancelled,
  round(avg(dep_delay), 1) AS average_dep_delay,
  max(dep_delay) AS longest_dep_delay
FROM flights
WHERE origin = << origin >>
  AND date BETWEEN << first_day = DATE '2013-01-01' >> AND << last_day = DATE '2013-12-31' >>
GROUP BY date
HAVING count(*) >= << min_flights = 50 >>
  [[ AND count(*) - count(dep_time) >= << min_cancelled >> ]]
ORDER BY average_dep_delay DESC NULLS LAST, date
