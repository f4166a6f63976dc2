SELECT
  -- error: [cannot-run]
  date_trunc('fortnight', << at: timestamp >>) AS a,
  -- error: [cannot-run]
  date_trunc('mont', << at >>) AS b,
  -- error: [cannot-run]
  date_part('quater', << at >>) AS c,
  -- error: [cannot-run]
  extract(quater FROM placed_at) AS d,
  -- error: [cannot-run]
  date_bin(interval '0 days', << at >>) AS e,
  -- error: [cannot-run]
  to_char(placed_at, '%Q') AS f,
  -- error: [cannot-run]
  make_date(2024, 13, id) AS g,
  -- error: [cannot-run]
  make_date(<< year: int >>, 2, 30) AS h,
  make_date(<< year >>, 2, 29) AS i,
  make_date(2023, << month: int >>, 31) AS j,
  -- error: [cannot-run]
  << at >> AT TIME ZONE 'Mars/Base' AS k,
  -- error: [cannot-run]
  date_trunc('fortnight', << instant: timestamptz >>) AS l
FROM orders
