-- calls: 1, 0
SELECT count(*) AS n
FROM items
WHERE tags[<< i >>] = 'blue'
  AND array_slice(tags, << a >>, << b >>) = ['red', 'blue']
  AND tags[<< c >>:<< d >>] = ['blue', 'small']
