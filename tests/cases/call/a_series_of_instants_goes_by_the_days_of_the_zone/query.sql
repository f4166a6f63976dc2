SELECT value AS midnight
FROM range(<< first >>, TIMESTAMPTZ '2024-03-13', INTERVAL '1 day')
ORDER BY value
