SELECT count(*) AS n
FROM items
WHERE array_to_string(tags, << separator >>) = << joined >>
  AND array_length(array_repeat(id, << times >>)) = 3
  AND array_replace(tags, << old >>, << new >>) <> tags
  AND array_sort(tags, << way >>) = tags
