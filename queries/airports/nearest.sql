/*---
title: Airports nearby
description: Airports around a given airport, nearest first. One row per airport, distance in miles in a straight line.
tags: [airports]
params:
  code: { description: Code of the airport in the middle., pattern: "^[0-9A-Z]{3}$", examples: [JFK] }
  radius: { description: Largest distance in miles., exclusive_minimum: 0, maximum: 500 }
default_limit: 10
---*/
WITH distances AS (
  SELECT
    near.faa,
    near.name,
    round(
      2 * 3958.8 * asin(sqrt(
        power(sin(radians(near.lat - here.lat) / 2), 2)
        + cos(radians(here.lat)) * cos(radians(near.lat)) * power(sin(radians(near.lon - here.lon) / 2), 2)
      )),
      1
    ) AS miles
  FROM airports AS here
  CROSS JOIN airports AS near
  WHERE here.faa = << code >> AND near.faa <> here.faa
)
SELECT faa, name, miles
FROM distances
WHERE miles <= << radius = 50.0 >>
ORDER BY miles, faa
