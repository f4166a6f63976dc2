SELECT count(*) AS n
FROM items
WHERE tags = [<< a >>, << b >>]
  AND array_has([id, << c >>], 7)
