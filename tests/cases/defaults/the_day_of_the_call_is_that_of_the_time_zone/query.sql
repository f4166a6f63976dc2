SELECT << day = current_date >> AS day, << week = current_date - 7 >> AS week, current_date AS today
