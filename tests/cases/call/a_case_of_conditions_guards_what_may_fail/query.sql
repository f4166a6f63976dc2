SELECT
  id,
  CASE WHEN kind = 'num' THEN s::int > 3 ELSE false END AS large,
  if(den <> 0, num / den > 4, false) AS many,
  coalesce(nullif(den = 0, false), num / den > 4) AS none_or_many,
  CASE WHEN den = 0 THEN false WHEN num / den > 4 THEN true END AS second
FROM n
WHERE CASE WHEN den <> 0 THEN num / den >= << least: bigint >> ELSE true END
ORDER BY id
