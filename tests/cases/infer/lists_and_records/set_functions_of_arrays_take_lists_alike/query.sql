SELECT count(*) AS n
FROM items
WHERE array_intersect(tags, << a >>) = ['red']
  AND array_concat(tags, << b >>) = ['red', 'large', 'x']
  AND array_except(<< c >>, tags) = ['y']
