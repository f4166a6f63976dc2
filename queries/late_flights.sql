/*---
title: Late flights
description: Flights of one airline with a long arrival delay, worst first. One row per flight, delays in minutes.
tags: [delays]
params:
  carrier: { description: Two-character carrier code., allowed_values: { query: SELECT carrier FROM airlines } }
  min_delay: { description: Smallest arrival delay in minutes., default: 60, minimum: 0 }
  since: { description: First day of departure. }
  origin: { description: Airport of departure., allowed_values: [EWR, JFK, LGA] }
  destinations: { description: Codes of the airports of arrival. }
result_limit: 200
default_limit: 20
---*/
SELECT date, carrier, flight, origin, dest, arr_delay
FROM flights
WHERE carrier = << carrier >>
  AND arr_delay >= << min_delay >>
  AND date >= << since = DATE '2013-01-01' >>
  [[ AND origin = << origin >> ]]
  [[ AND dest IN << destinations >> ]]
ORDER BY arr_delay DESC, date, flight, origin
