SELECT id FROM orders WHERE CASE WHEN << day?: date >> IS NULL THEN true ELSE day = << day >> END
