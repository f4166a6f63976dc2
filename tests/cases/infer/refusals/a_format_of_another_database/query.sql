SELECT
  -- error: [invalid-query]
  to_char(day, 'YYYY-MM') AS a,
  -- error: [invalid-query]
  date_format(placed_at, 'DD.MM.YYYY HH24:MI:SS') AS b,
  -- error: [invalid-query]
  to_char(day, 'Month YYYY') AS c,
  -- error: [invalid-query]
  to_date(note, 'DD.MM.YYYY') AS d,
  -- error: [invalid-query]
  to_timestamp(note, '%Y-%m-%d %H:%M:%S', 'yyyy-MM-dd') AS e,
  to_char(day, '%Y-%m') AS f,
  to_date(note, '%d.%m.%Y') AS g
FROM orders
