SELECT id FROM types WHERE amount = << amount: decimal(10,2) >>
