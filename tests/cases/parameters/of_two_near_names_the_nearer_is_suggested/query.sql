SELECT id FROM orders WHERE id > 0 [[ AND price >= << price_from >> ]] [[ AND price <= << price_to >> ]] ORDER BY id
