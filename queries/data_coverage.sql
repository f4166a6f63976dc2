/*---
description: What the data covers. One row with the first and last day and the number of flights, airlines, destinations and planes.
tags: [about]
---*/
SELECT
  min(date) AS first_day,
  max(date) AS last_day,
  count(*) AS flights,
  count(*) - count(dep_time) AS cancelled_flights,
  count(DISTINCT carrier) AS airlines,
  count(DISTINCT dest) AS destinations,
  count(DISTINCT tailnum) AS planes
FROM flights
