SELECT count(*) AS n
FROM (SELECT count(*) AS items FROM items) AS i, unnest(['red', 'blue']) AS t(tag)
WHERE t.tag = << tag >>
