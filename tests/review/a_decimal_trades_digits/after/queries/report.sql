SELECT id FROM types WHERE amount = << amount: decimal(8,4) >>
