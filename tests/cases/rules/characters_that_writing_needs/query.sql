/*---
title: "Orders of Ångström 🏳️‍🌈 ❤️"
description: "שלום‏ (abc), می‌خواهم, 葛󠄀城, 🏴󠁧󠁢󠁥󠁮󠁧󠁿"
params:
  status: { description: "1️⃣ State of the order" }
---*/
SELECT id FROM orders WHERE status = << status >>
