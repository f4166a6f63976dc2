/*---
title: Watch list
description: The flight numbers that are watched, with how they flew in 2013. Delays in minutes.
tags: [watch list, delays]
params:
  reason: { description: Only those that are watched for this reason. }
---*/
SELECT
  w.carrier,
  w.flight,
  w.reason,
  count(*) AS departures,
  round(avg(f.arr_delay), 1) AS mean_arrival_delay
FROM watched AS w
JOIN flights AS f ON f.carrier = w.carrier AND f.flight = w.flight
WHERE TRUE
  [[ AND w.reason = << reason >> ]]
GROUP BY w.carrier, w.flight, w.reason
ORDER BY w.carrier, w.flight
LIMIT 50
