SELECT id FROM orders /* never closed -- error: [syntax-error]
