SELECT id, note FROM orders WHERE note = 'plain' [[ OR note = << note >> ]] ORDER BY id
