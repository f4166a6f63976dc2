SELECT
  id,
  -- warning: [null-comparison]
  note = NULL AS a
FROM orders
-- warning: [null-comparison]
WHERE status <> NULL
  -- warning: [null-comparison]
  AND status IN (NULL)
  -- warning: [null-comparison]
  AND status NOT IN ('open', NULL)
  -- warning: [null-comparison]
  AND status IN ('open', NULL)
  -- warning: [null-comparison]
  AND NULL < quantity
  AND note IS NULL
  AND note IS DISTINCT FROM NULL
  AND coalesce(note, NULL) IS NOT NULL
  AND status = << status >>
