SELECT id
FROM types
WHERE amount = << a >> AND small = << b >> AND medium = << c >> AND big = << d >> AND single = << e >>
  AND dbl = << f >> AND flag = << g >> AND day = << h >> AND clock = << i >> AND moment = << j >>
  AND instant = << k >> AND label = << l >>
