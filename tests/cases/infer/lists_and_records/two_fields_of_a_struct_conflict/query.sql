SELECT count(*) AS n
FROM (SELECT named_struct('w', day, 'h', status) AS s FROM orders) AS t
WHERE s['w'] >= << x >>
-- error: [conflicting-types]
  AND s['h'] = << x >>
