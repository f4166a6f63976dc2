SELECT id FROM orders /* ; */ -- ;
-- error: [multiple-statements]
; DROP TABLE orders
