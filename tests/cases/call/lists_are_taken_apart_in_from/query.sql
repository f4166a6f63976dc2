SELECT items.id, t.tag, t.at
FROM items, unnest(items.tags) WITH ORDINALITY AS t(tag, at)
WHERE true [[ AND t.tag = << tag >> ]]
ORDER BY items.id, t.at
