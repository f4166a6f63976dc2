SELECT
  id,
  valid_to > ts AS later,
  valid_to > ns AS later_still,
  until > ns AS until_later,
  until >= valid_to AS same_day,
  valid_to > TIMESTAMP '2024-03-01 00:00:00.5' AS after_a_moment,
  valid_to = TIMESTAMP '2024-03-01 00:00:00' AS at_midnight,
  valid_to > CAST('2024-02-29T23:30:00Z' AS timestamptz) AS after_an_instant,
  TIMESTAMP '2024-03-01 00:00:00' BETWEEN DATE '0001-01-01' AND valid_to AS inside,
  valid_to IN (ns, ts) AS listed
FROM (SELECT *, arrow_cast(ts, 'Timestamp(Nanosecond, None)') AS ns FROM v) AS v
WHERE valid_to >= << at: timestamp >> OR ts < << until: date >> OR now() > valid_to
ORDER BY id
