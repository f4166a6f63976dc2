/*---
title: Find an airport
description: Airports of the United States whose name contains a text, in any case. One row per airport, altitude in feet.
tags: [airports]
params:
  text: { description: Part of the name., min_length: 2, examples: [kennedy] }
  zone: { description: Time zone., examples: [America/Chicago] }
  min_altitude: { description: Lowest altitude in feet. }
default_limit: 20
---*/
SELECT faa, name, lat AS latitude, lon AS longitude, alt AS altitude, tzone AS time_zone
FROM airports
WHERE name ILIKE '%' || << text >> || '%'
  [[ AND tzone = << zone >> ]]
  [[ AND alt >= << min_altitude >> ]]
ORDER BY name, faa
