SELECT id
FROM items
-- error: [invalid-query]
WHERE array_has(tags, 1)
  -- error: [invalid-query]
  AND 1 = ANY(tags)
  AND array_has(tags, 'red')
  AND 'red' = ANY(tags)
  AND id = << id >>
