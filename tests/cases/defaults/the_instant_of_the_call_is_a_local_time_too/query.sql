SELECT << local: timestamp = now() >> AS local_time, << instant: timestamptz = now() >> AS instant, << instant >> = now() AS same
