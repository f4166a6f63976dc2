SELECT << d: date >> AS d
