SELECT id, name
FROM unsigned
WHERE true
  [[ AND id = << id >> ]]
  [[ AND id IN << ids >> ]]
  [[ AND id BETWEEN << least >> AND << most >> ]]
  [[ AND array_has(tags, << tag >>) ]]
ORDER BY id
