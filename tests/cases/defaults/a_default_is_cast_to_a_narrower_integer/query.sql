SELECT id, small FROM types WHERE small > << least = 1 + 1 >> ORDER BY id
