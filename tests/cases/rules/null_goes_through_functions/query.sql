SELECT id
FROM customers
-- warning: [null-comparison]
WHERE lower(name) = lower(<< name?: text >>)
  -- warning: [null-comparison]
  AND trim(city) LIKE trim(<< city?: text >>) || '%'
  -- warning: [null-comparison]
  AND substr(name, 1, 1) = substr(<< letter?: text >>, 1, 1)
  -- warning: [null-comparison]
  AND id > abs(<< above?: bigint >>)
  AND city = coalesce(upper(<< town?: text >>), city)
