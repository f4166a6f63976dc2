SELECT b.id, (SELECT max(o.id) FROM orders AS o WHERE o.id = b.box.size.w) AS found
FROM (SELECT id, named_struct('tags', tags, 'size', size) AS box FROM items) AS b
WHERE EXISTS (SELECT 1 FROM unnest(b.box.tags) AS t(tag) WHERE t.tag = << tag >>)
ORDER BY b.id
