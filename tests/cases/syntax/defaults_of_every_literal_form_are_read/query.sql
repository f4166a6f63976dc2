SELECT
  << a = 5 >> AS a,
  << b = -2.5 >> AS b,
  << c = 1e3 >> AS c,
  << d = 'it''s' >> AS d,
  << e = 'closes >> here' >> AS e,
  << f = true >> AS f,
  << g = DATE '2024-02-29' >> AS g,
  << h = TIMESTAMP '2024-02-29 12:00:00' >> AS h,
  << i = INTERVAL '1 day' >> AS i,
  << j = ['a', 'b'] >> AS j,
  << k = ARRAY[1, 2] >> AS k,
  << l = (7) >> AS l,
  << m = $$dollar$$ >> AS m
