SELECT items.id, every.tag, long.tag AS long_tag
FROM items
LEFT JOIN unnest(items.tags) AS every(tag) ON true
LEFT JOIN LATERAL unnest(items.tags) AS long(tag) ON length(long.tag) > << longer_than >>
ORDER BY items.id, every.tag, long.tag
