SELECT
  id,
  array_concat(n, m) AS both,
  array_concat(n, make_array(make_array(<< item >>))) AS more,
  make_array(l) || n AS before,
  array_concat(n, array_repeat(l, 2)) AS twice,
  array_repeat(n, 2) AS repeated,
  array_concat(r, r)[1]['x'] AS first,
  CASE WHEN id = 1 THEN n ELSE make_array(make_array(0)) END AS picked
FROM t
WHERE n <> make_array(make_array(<< item >>))
ORDER BY id
