SELECT << day = current_date >> AS day
