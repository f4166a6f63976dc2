SELECT price FROM one_order LIMIT 1
