SELECT count(*) AS n
FROM labelled
WHERE x = status
-- error: [conflicting-types]
  AND id = << x >>
