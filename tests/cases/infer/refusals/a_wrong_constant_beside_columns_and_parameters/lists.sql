SELECT
  -- error: [cannot-run]
  array_slice(tags, 1, << n: int >>, 0) AS a,
  -- error: [cannot-run]
  generate_series(1, << n >>, 0) AS b,
  -- error: [cannot-run]
  range(1, id, 0) AS c,
  array_slice(tags, 1, 2, 1) AS d
FROM items
