-- error: [unknown-column]
SELECT id, quantiti FROM shipped
