SELECT id
FROM items
WHERE array_has(tags, << x >>)
-- error: [conflicting-types]
  AND array_has_any(tags, << x >>)
