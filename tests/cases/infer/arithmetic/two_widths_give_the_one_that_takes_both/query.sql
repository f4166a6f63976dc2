SELECT count(*) AS n
FROM types
WHERE small = << a >> AND medium = << a >>
  AND medium = << b >> AND big = << b >>
  AND small = << c >> AND big = << c >>
  AND single = << e >> AND dbl = << e >>
  AND medium = << f >> AND dbl = << f >>
  AND small = << g >> AND single = << g >>
  AND medium = << h >> AND single = << h >>
  AND amount = << i >> AND dbl = << i >>
  AND amount = << j >> AND small = << j >>
  AND amount = << k >> AND big = << k >>
  AND amount = << l >> AND single = << l >>
