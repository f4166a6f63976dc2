SELECT << year = CAST(extract(year FROM current_date) AS bigint) >> AS year,
  << start = substring('abc' FROM 2) >> AS start,
  << both = true AND 2 > 1 >> AS both
