SELECT id, CASE WHEN id > 1 THEN status ELSE '0' END AS a, ifnull(note, 'none') AS b
FROM orders
WHERE status = '1' AND status IN ('1', note) AND note IS DISTINCT FROM NULL AND CAST(status AS bigint) = 1
  AND TRY_CAST(note AS date) = day AND status = << status >>
