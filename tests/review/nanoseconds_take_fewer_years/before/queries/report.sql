SELECT id FROM types WHERE moment > << at: timestamp >>
