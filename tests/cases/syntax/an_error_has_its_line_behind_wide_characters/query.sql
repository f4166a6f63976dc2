SELECT 'Grüße 😀 日本語' AS greeting
FROM orders
-- error: [invalid-placeholder]
WHERE note = '日本語' AND status = << 'é' >>
