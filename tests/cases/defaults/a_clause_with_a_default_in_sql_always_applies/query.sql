SELECT count(*) AS n FROM orders WHERE true [[ AND day >= << since = current_date - 31 >> ]] [[ AND day <= << until >> ]]
