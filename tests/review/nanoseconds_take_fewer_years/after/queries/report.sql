SELECT id FROM types WHERE moment > << at: timestamp(9) >>
