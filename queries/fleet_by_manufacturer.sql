/*---
description: Planes that flew from New York, by manufacturer, largest fleet first. One row per manufacturer.
tags: [planes]
params:
  built_since: { description: Only planes built in this year or later., minimum: 1950, maximum: 2013 }
  engine: { description: Kind of engine., allowed_values: [Turbo-fan, Turbo-jet, Turbo-prop, Turbo-shaft, Reciprocating, 4 Cycle] }
  min_planes: { description: Manufacturers with fewer planes are left out., minimum: 1 }
columns:
  average_age: { description: "Years, at the end of 2013" }
---*/
WITH fleet AS (
  SELECT
    CASE
      WHEN manufacturer LIKE 'AIRBUS%' THEN 'AIRBUS'
      WHEN manufacturer LIKE 'MCDONNELL DOUGLAS%' THEN 'MCDONNELL DOUGLAS'
      ELSE manufacturer
    END AS maker,
    model,
    year,
    seats
  FROM planes
  WHERE true
    [[ AND year >= << built_since >> ]]
    [[ AND engine = << engine >> ]]
)
SELECT
  maker AS manufacturer,
  count(*) AS planes,
  count(DISTINCT model) AS models,
  min(year) AS oldest_year,
  max(year) AS newest_year,
  round(2013 - avg(year), 1) AS average_age,
  round(avg(seats), 0) AS average_seats
FROM fleet
GROUP BY maker
HAVING count(*) >= << min_planes = 5 >>
ORDER BY planes DESC, manufacturer
