SELECT id FROM things
