SELECT status FROM listed
