/*---
description: Airlines with the least delay at each New York airport, best first. One row per airport and airline, delay in minutes.
tags: [airlines, delays]
params:
  top: { description: Places to show at each airport., minimum: 1, maximum: 16 }
  min_flights: { description: Airlines with fewer flights from the airport are left out., minimum: 1 }
  max_place_delay: { description: "Leave out airlines with a larger average arrival delay, in minutes." }
columns:
  place: { description: "1 is the least average arrival delay; equal delays share a place" }
---*/
WITH airline_delays AS (
  SELECT origin, carrier, airline, count(*) AS flights, round(avg(arr_delay), 2) AS average_arr_delay
  FROM departed_flights
  GROUP BY origin, carrier, airline
  HAVING count(*) >= << min_flights = 100 >>
)
SELECT
  origin,
  rank() OVER (PARTITION BY origin ORDER BY average_arr_delay) AS place,
  carrier,
  airline,
  flights,
  average_arr_delay
FROM airline_delays
QUALIFY rank() OVER (PARTITION BY origin ORDER BY average_arr_delay) <= << top = 3 >>
  [[ AND average_arr_delay <= << max_place_delay >> ]]
ORDER BY origin, place, carrier
