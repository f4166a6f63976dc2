SELECT id
FROM customers
WHERE id < 5 [[ AND vip = << vip >> ]] [[ AND id > << above >> ]] [[ AND city = << city >> ]] [[ AND id NOT IN << but >> ]]
ORDER BY id
