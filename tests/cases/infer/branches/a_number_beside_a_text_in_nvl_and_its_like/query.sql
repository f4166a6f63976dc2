SELECT
  -- error: [invalid-query]
  ifnull(quantity, 'none') AS a,
  -- error: [invalid-query]
  nvl(note, 0) AS b,
  -- error: [invalid-query]
  nvl2(note, 0, 'x') AS c,
  -- error: [invalid-query]
  nullif(quantity, 'none') AS d,
  -- error: [invalid-query]
  least(day, 'soon') AS e,
  -- error: [invalid-query]
  nvl(quantity, '0') AS f,
  nvl(note, 'none') AS g,
  ifnull(quantity, 0) AS h
FROM orders
