-- warning: [select-star]
FROM customers
