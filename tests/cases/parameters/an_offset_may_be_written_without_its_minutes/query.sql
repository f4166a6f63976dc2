SELECT << at: timestamptz >> AS at
