SELECT id FROM orders WHERE day >= << since: date >> + << length: interval >>
