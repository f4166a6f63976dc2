SELECT strftime(placed_at, '%Y-%m-%d %H:%M:%S.%f|%g|%c|%x|%X|%%f') AS shown, strftime('%d', day) AS turned
FROM orders ORDER BY id
