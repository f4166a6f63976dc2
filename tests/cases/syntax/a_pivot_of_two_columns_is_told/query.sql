SELECT *
FROM (SELECT status, note, quantity FROM orders)
     PIVOT (sum(quantity) FOR status IN ('open', 'sent')
     -- error: [syntax-error]
     FOR note IN ('x'))
