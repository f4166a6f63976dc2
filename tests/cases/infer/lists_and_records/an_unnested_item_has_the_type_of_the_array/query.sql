SELECT count(*) AS n
FROM (SELECT id, unnest(tags) AS tag FROM items) AS t
WHERE tag = << tag >> AND id < << most >>
