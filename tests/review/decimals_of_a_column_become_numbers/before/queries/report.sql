SELECT id, amount FROM types
