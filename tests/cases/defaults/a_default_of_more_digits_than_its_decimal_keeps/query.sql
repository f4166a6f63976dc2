SELECT id,
       -- error: [invalid-default]
       amount * << rate = 1.12345678 >> AS gross,
       -- error: [invalid-default]
       amount + << fee = 0.125 >> AS net,
       amount * << share: decimal(18,8) = 0.12345678 >> AS part
FROM types
-- error: [invalid-default]
WHERE amount > << least = 0.001 >>
