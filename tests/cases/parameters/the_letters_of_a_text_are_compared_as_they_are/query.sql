SELECT id FROM orders WHERE note = << note >> ORDER BY id
