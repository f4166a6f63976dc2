-- calls: 1, 0
SELECT count(*) AS n
FROM items
WHERE array_has(tags, << a >>)
  AND array_has_any(tags, << b >>)
  AND array_position(tags, << c >>) = 1
  AND array_length(array_append(tags, << d >>)) = << e >>
