/*---
description: Hourly weather at one New York airport between two moments, oldest first. Temperature and dew point in Fahrenheit, humidity in percent, wind in miles per hour, rain in inches, pressure in millibars, visibility in miles.
tags: [weather]
params:
  station: { description: Airport at which the weather was taken., allowed_values: [EWR, JFK, LGA] }
  from_time: { description: First hour., examples: ["2013-02-08T12:00:00-05:00"] }
  to_time: { description: End of the period; this hour is left out., examples: ["2013-02-09T12:00:00-05:00"] }
columns:
  time_hour: { description: Start of the hour }
  wind_dir: { description: "Where the wind comes from, in degrees; 0 when calm" }
result_limit: 744
default_limit: 48
table_format: csv
---*/
SELECT
  time_hour,
  temp,
  dewp AS dew_point,
  humid AS humidity,
  wind_dir,
  round(wind_speed, 1) AS wind_speed,
  round(wind_gust, 1) AS wind_gust,
  precip AS precipitation,
  pressure,
  visib AS visibility
FROM weather
WHERE origin = << station >>
  AND time_hour >= << from_time >>
  AND time_hour < << to_time >>
ORDER BY time_hour
