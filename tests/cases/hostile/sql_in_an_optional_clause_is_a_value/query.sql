SELECT id FROM orders WHERE id < 3 [[ AND note = << note >> ]] [[ OR note = << other >> ]] ORDER BY id
