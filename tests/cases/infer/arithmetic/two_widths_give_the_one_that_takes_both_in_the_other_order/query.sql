SELECT count(*) AS n
FROM types
WHERE medium = << a >> AND small = << a >>
  AND big = << b >> AND medium = << b >>
  AND big = << c >> AND small = << c >>
  AND dbl = << e >> AND single = << e >>
  AND dbl = << f >> AND medium = << f >>
  AND single = << g >> AND small = << g >>
  AND single = << h >> AND medium = << h >>
  AND dbl = << i >> AND amount = << i >>
  AND small = << j >> AND amount = << j >>
  AND big = << k >> AND amount = << k >>
  AND single = << l >> AND amount = << l >>
