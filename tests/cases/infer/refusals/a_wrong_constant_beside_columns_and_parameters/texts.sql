SELECT
  -- error: [cannot-run]
  regexp_like(<< text: text >>, '(') AS a,
  -- error: [cannot-run]
  << text >> ~ '[' AS c,
  -- error: [cannot-run]
  << text >> SIMILAR TO '(' AS d,
  -- error: [cannot-run]
  encode(status, 'base46') AS e,
  -- error: [cannot-run]
  decode(<< text >>, 'hexx') AS f,
  -- error: [cannot-run]
  digest(<< text >>, 'sha257') AS g,
  -- error: [cannot-run]
  split_part(status, ',', 0) AS h,
  -- error: [cannot-run]
  substring(status FROM 1 FOR -1) AS i,
  regexp_like(status, << text >>, 'i') AS j,
  decode(<< text >>, 'hex') AS k,
  CASE WHEN status = 'never' THEN split_part(note, ',', 0) END AS l
FROM orders
