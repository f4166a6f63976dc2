-- calls: 1, 0
SELECT count(*) AS n
FROM items
WHERE array_has(array_transform(tags, x -> length(x)), << width >>)
  AND array_has(array_transform(tags, x -> x || << tail >>), 'red!')
