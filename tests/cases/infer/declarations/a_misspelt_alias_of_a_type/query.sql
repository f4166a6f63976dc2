SELECT
  -- error: [unknown-type]
  << a: varchr >> AS a,
  -- error: [unknown-type]
  << b: integr >> AS b,
  -- error: [unknown-type]
  << c: date_time >> AS c
