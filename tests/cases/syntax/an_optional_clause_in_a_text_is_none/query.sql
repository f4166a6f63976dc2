SELECT id
FROM orders
-- error: [quoted-placeholder]
WHERE note = 'x [[ AND status = << status >> ]]'
  -- error: [quoted-placeholder]
  AND note <> '[[or x]]'
