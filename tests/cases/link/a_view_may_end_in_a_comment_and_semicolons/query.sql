SELECT count(*) AS orders FROM shipped;
