SELECT id, note FROM orders WHERE id IN (3, 4) [[ AND note = << note >> ]] ORDER BY id
