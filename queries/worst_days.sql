/*---
description: Days on which departures from one airport went worst, by average departure delay or what else is chosen, worst first. One row per day, delays in minutes.
tags: [delays]
params_from: days
params:
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
  worst:
    description: "What makes a day bad: its average delay, its longest one, or the number of cancelled flights."
    choices:
      average_delay: avg(dep_delay)
      longest_delay: max(dep_delay)
      cancelled: count(*) - count(dep_time)
    default: average_delay
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
ORDER BY << worst >> DESC NULLS LAST, date
