-- calls: exact, exact, exact, two refusals
SELECT << d: decimal(30,2) >> AS d
