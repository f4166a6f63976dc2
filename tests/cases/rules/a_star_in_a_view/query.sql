SELECT id FROM everything
