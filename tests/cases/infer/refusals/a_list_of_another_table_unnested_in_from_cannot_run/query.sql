SELECT count(*) AS n
-- error: [cannot-run]
FROM items, unnest(items.tags) AS t(tag)
WHERE t.tag = << tag >>
