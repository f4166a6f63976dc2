SELECT r.id, r.day, << since >> AS since FROM recent AS r WHERE r.day < << until = current_date - 1 >> ORDER BY r.id
