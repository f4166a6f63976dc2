SELECT count(*) AS n
FROM types
WHERE day = << a >> AND moment = << b >> AND clock = << c >> AND flag = << e >> AND day = << f >>
-- error: [conflicting-types]
  AND moment = << a >>

-- error: [conflicting-types]
  AND instant = << b >>

-- error: [conflicting-types]
  AND moment = << c >>

-- error: [conflicting-types]
  AND label = << e >>

-- error: [conflicting-types]
  AND big = << f >>
