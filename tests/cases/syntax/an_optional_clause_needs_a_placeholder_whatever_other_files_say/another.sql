-- error: [syntax-error]
SELEC id FROM orders
