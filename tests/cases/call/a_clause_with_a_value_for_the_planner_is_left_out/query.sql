SELECT count(*) AS n FROM orders WHERE true [[ AND date_part(<< unit >>, day) = << part >> ]]
