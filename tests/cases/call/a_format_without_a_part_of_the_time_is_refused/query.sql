-- 'YYYY-MM' would be written as it is, for every row
SELECT id, to_char(placed_at, << form >>) AS shown FROM orders ORDER BY id LIMIT 2
