SELECT id, label FROM labelled WHERE status = << label >>
