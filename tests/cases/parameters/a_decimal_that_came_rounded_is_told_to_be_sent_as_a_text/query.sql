-- calls: rounded, rounded up to too many digits, too many digits as they were sent, as a text
SELECT << d: decimal(18,6) >> AS d
