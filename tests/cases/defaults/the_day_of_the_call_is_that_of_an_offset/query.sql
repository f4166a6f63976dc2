SELECT << day = current_date >> AS day, << at: timestamp = now() >> AS at
