SELECT << since: timestamptz = current_date >> AS since
