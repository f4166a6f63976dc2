SELECT count(*) AS orders FROM listed
