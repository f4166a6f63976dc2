TAX = 1.2
