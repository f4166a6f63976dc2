SELECT name, count(*) AS rows, count(n) AS with_n, min(n) AS least, max(day) AS latest, max(d) AS most, min(name) AS same
FROM t WHERE id > << above >> GROUP BY name ORDER BY name
