SELECT to_char(placed_at, << format >>) AS at, to_char(day, << form = '%Y' >>) AS day
FROM orders
WHERE id = 1
