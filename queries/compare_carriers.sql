/*---
title: Compare two airlines
description: One airline beside a rival, or beside all others, on the routes it flies. One row per destination, most flights first; arrival delays in minutes.
tags: [airlines, routes]
params:
  carrier: { description: Two-character carrier code., min_length: 2, max_length: 2, examples: [B6] }
  rival: { description: Carrier code of the rival; all other airlines when absent., min_length: 2, max_length: 2 }
columns:
  own_average: { description: Average arrival delay of the airline in minutes }
  rival_average: { description: "Average arrival delay of the rival in minutes, null when it does not fly there" }
default_limit: 25
---*/
SELECT
  dest,
  count(*) FILTER (WHERE carrier = << carrier >>) AS own_flights,
  count(*) FILTER (WHERE carrier <> << carrier >>) AS rival_flights,
  round(avg(arr_delay) FILTER (WHERE carrier = << carrier >>), 1) AS own_average,
  round(avg(arr_delay) FILTER (WHERE carrier <> << carrier >>), 1) AS rival_average
FROM departed_flights
WHERE carrier = << carrier >> OR carrier = coalesce(<< rival? >>, carrier)
GROUP BY dest
HAVING count(*) FILTER (WHERE carrier = << carrier >>) > 0
ORDER BY own_flights DESC, dest
