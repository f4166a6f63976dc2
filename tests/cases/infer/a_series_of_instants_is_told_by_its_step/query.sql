SELECT value FROM generate_series(<< first >>, << last >>, INTERVAL '1 day')
