SELECT to_timestamp(day, '%Y-%m-%d %H') AS at
FROM (VALUES ('2024-01-05 10')) AS v(day)
WHERE to_timestamp(day, '%Y-%m-%d %H') >= << since: timestamp >>
