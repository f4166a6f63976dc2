SELECT id, year(day) AS y, quarter(day) AS q, month(day) AS m, week(day) AS w, day(day) AS d, dayofweek(day) AS dow,
       isodow(day) AS iso, dayofyear(day) AS doy, hour(placed_at) AS h, minute(placed_at) AS min,
       second(placed_at) AS s, epoch(placed_at) AS epoch, dayname(day) AS dayname, monthname(day) AS monthname,
       last_day(day) AS last
FROM (SELECT id, day, placed_at FROM orders UNION ALL SELECT 101, DATE '2024-12-31', NULL UNION ALL SELECT 102, NULL, NULL)
ORDER BY id
