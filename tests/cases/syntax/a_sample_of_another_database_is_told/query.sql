-- error: [syntax-error]
SELECT id FROM orders USING SAMPLE 10
