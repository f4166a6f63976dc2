SELECT id FROM orders WHERE true [[ AND day >= << since = current_date - interval '60 days' >> ]] [[ AND status = << status >> ]] ORDER BY id
