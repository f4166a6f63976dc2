SELECT id,
       -- error: [invalid-default]
       amount * << rate = 1,1 >> AS gross,
       -- error: [invalid-default]
       amount * << share = 110% >> AS part,
       -- error: [invalid-default]
       amount > << least = 1,100 >> AS is_large
FROM types
