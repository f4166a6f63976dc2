SELECT << at = now() >> = now() AS now, << day = current_date >> = current_date AS day, << at >> = << also = current_timestamp >> AS also
