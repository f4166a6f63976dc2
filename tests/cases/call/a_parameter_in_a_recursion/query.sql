WITH RECURSIVE numbers AS (
  SELECT << first: bigint >> AS n
  UNION ALL
  SELECT n + << step: bigint >> FROM numbers WHERE n < << last >>
)
SELECT n FROM numbers ORDER BY n
