SELECT name FROM customers WHERE id < 4 [[ AND << all_of_them: boolean >> ]] ORDER BY name
