SELECT value FROM generate_series(<< first: date >>, << last >>, INTERVAL '1 day')
