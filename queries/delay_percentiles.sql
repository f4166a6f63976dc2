/*---
description: How long arrival delays are for each airline, as percentiles in minutes. One row per airline, smallest 90th percentile first.
tags: [airlines, delays]
params:
  part_of_day: { description: Part of the day of the scheduled departure., default: any, allowed_values: [any, morning, afternoon, evening] }
  dest: { description: Code of the airport of arrival., min_length: 3, max_length: 3 }
columns:
  half_within: { description: "Half of the flights have at most this delay, in minutes" }
  ninety_percent_within: { description: "90 percent of the flights have at most this delay, in minutes" }
---*/
SELECT
  carrier,
  airline,
  count(arr_delay) AS flights,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY arr_delay) AS half_within,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY arr_delay) AS ninety_percent_within
FROM departed_flights
WHERE arr_delay IS NOT NULL
  AND CASE << part_of_day >>
        WHEN 'morning' THEN hour < 12
        WHEN 'afternoon' THEN hour BETWEEN 12 AND 17
        WHEN 'evening' THEN hour >= 18
        ELSE true
      END
  [[ AND dest = << dest >> ]]
GROUP BY carrier, airline
ORDER BY ninety_percent_within, carrier
