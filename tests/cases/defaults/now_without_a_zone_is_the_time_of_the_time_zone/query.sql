SELECT << at: timestamp = now() >> AS at, << clock: time = current_time >> AS clock
