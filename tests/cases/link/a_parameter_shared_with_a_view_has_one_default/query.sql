SELECT id
FROM by_status
-- error: [conflicting-configuration]
WHERE status = << status = 'shipped' >>
