SELECT
  -- error: [unknown-type]
  << a: text(20) >> AS a,
  -- error: [unknown-type]
  << b: int[3] >> AS b,
  -- error: [unknown-type]
  << c: struct(int, text) >> AS c,
  -- error: [unknown-type]
  << d: timestamptz(4)[] >> AS d
