-- error: [not-a-query]
BEGIN
