SELECT id FROM orders WHERE id < 14 [[ AND note = << note >> ]] [[ AND quantity > << above >> ]] ORDER BY id
