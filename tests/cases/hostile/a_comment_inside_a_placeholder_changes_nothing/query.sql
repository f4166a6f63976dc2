SELECT id FROM orders WHERE status = << status /* : bigint = 5 */ -- ? >>
>> ORDER BY id LIMIT 1
