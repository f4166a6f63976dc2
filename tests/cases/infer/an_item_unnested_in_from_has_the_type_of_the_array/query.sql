SELECT count(*) AS n
FROM items, unnest(items.tags) AS t(tag)
WHERE t.tag = << tag >>
