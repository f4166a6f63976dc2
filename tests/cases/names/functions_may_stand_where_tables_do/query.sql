SELECT value FROM generate_series(1, 10) WHERE value < << below >>
