SELECT id
FROM items
WHERE id > 0
  [[ AND tags[1] = << first >> ]]
  [[ AND array_has([['a'], ['b']], << pair: text[] >>) ]]
  [[ AND << tag >> = tags[1]]]
