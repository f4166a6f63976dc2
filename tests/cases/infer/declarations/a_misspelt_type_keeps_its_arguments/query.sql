SELECT
  -- error: [unknown-type]
  << a: decimall(10,2) >> AS a,
  -- error: [unknown-type]
  << b: bigit[] >> AS b,
  -- error: [unknown-type]
  << c: struct(x bigit, y text) >> AS c
