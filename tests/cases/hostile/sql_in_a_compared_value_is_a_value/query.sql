SELECT id, note FROM orders WHERE note = << note >> ORDER BY id
