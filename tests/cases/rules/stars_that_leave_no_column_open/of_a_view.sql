SELECT l.* FROM listed AS l
