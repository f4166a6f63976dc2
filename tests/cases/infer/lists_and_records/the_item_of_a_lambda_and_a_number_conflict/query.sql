SELECT id
FROM items
WHERE array_any_match(tags, x -> x = << x >>)
-- error: [conflicting-types]
  AND id = << x >>
