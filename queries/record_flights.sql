/*---
description: The earliest and the latest arrivals of the year, or of one airport. One row per flight, delays in minutes; a negative delay is early.
tags: [delays]
params:
  each: { description: Flights of each kind., minimum: 1, maximum: 50 }
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
columns:
  record: { description: early or late }
---*/
WITH arrived AS (
  SELECT date, carrier, flight, origin, dest, arr_delay
  FROM flights
  WHERE arr_delay IS NOT NULL
    [[ AND origin = << origin >> ]]
),
earliest AS (
  SELECT 'early' AS record, date, carrier, flight, origin, dest, arr_delay
  FROM arrived
  ORDER BY arr_delay, date, carrier, flight, origin
  LIMIT << each = 5 >>
),
latest AS (
  SELECT 'late' AS record, date, carrier, flight, origin, dest, arr_delay
  FROM arrived
  ORDER BY arr_delay DESC, date, carrier, flight, origin
  LIMIT << each >>
)
SELECT record, date, carrier, flight, origin, dest, arr_delay FROM earliest
UNION ALL
SELECT record, date, carrier, flight, origin, dest, arr_delay FROM latest
ORDER BY record, arr_delay, date, carrier, flight, origin
