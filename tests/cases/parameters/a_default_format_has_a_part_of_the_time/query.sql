-- error: [invalid-default]
SELECT id, to_char(placed_at, << form = 'YYYY-MM' >>) AS shown FROM orders ORDER BY id LIMIT 2
