SELECT count(*) AS n
FROM types
WHERE moment = << a >> AND instant = << b >> AND moment = << c >> AND label = << e >> AND big = << f >>
-- error: [conflicting-types]
  AND day = << a >>

-- error: [conflicting-types]
  AND moment = << b >>

-- error: [conflicting-types]
  AND clock = << c >>

-- error: [conflicting-types]
  AND flag = << e >>

-- error: [conflicting-types]
  AND day = << f >>
