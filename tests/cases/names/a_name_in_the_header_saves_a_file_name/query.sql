SELECT id FROM first
