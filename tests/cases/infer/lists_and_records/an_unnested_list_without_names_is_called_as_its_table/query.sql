SELECT items.id, tag, unnest AS again
FROM items, unnest(items.tags) AS tag, unnest(items.tags)
WHERE tag = << tag >> AND unnest.unnest <> << other >>
