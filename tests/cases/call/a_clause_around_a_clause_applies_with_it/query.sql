SELECT count(*) AS n FROM orders WHERE true [[ AND status = 'open' [[ AND id > << least >> ]] ]]
