SELECT items.id, t.tag, t.at
FROM items, unnest(items.tags) WITH ORDINALITY AS t(tag, at)
WHERE t.tag = << tag >> AND t.at <= << most >>
