SELECT
    id,
    rank() OVER (ORDER BY span) AS place,
    count(*) OVER (PARTITION BY span) AS alike,
    max(span) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS longer_of_two,
    min(span) OVER (ORDER BY id) AS shortest_so_far
FROM rows
ORDER BY id
