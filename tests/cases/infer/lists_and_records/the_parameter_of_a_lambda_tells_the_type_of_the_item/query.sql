-- calls: 1, 0
SELECT count(*) AS n
FROM items
WHERE array_length(array_filter(tags, x -> x > << a >>)) = 1
  AND array_any_match(tags, x -> x LIKE << b >>)
