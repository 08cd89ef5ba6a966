@@ 96 pr marguerite 2026-03-12 merged 2026-03-17 mateus
Raise the batch window to ten seconds
labels: messaging, performance
files: window/batch.go window/settings.go docs/batches.md

With four hundred sites the broker spends most of its time closing small batches. Ten seconds make them a fifth as many, and the disks are quiet. Readings come every five minutes, so nobody waits for ten seconds.
--
samira ~ The store writes when a batch closes. Ten seconds later is ten seconds later for everybody who reads it.
marguerite: For five-minute readings that should be invisible.
mateus +

@@ 97 issue emeka 2026-03-18 fixed
Thresholds were evaluated late for 47 minutes this morning
labels: bug, messaging

From 05:32 on the watch worked with old levels. The store was behind, and it was behind because batches arrived late and then all together. The window went to ten seconds at 04:05, and under the morning load the batches piled up behind each other.
--
leila: Rolled back at 06:12. Caught up at 06:19.
samira: The store was never slow. It had nothing to write, and then everything.

@@ 98 pr leila 2026-03-18 merged 2026-03-18 samira
Revert "Raise the batch window to ten seconds"
labels: messaging
reverts: 96
files: window/batch.go window/settings.go docs/batches.md

Reverts #96. Fixes #97. The lag adds up: each consumer waits for a whole window, so three consumers in a row wait for three.
--
samira +

@@ 101 pr leila 2026-03-25 merged 2026-03-30 aoife
Close every batch within two seconds
labels: messaging, safety
files: window/batch.go window/settings.go docs/batches.md

What we decided after the eighteenth (ADR-0007): a batch closes after two seconds at the latest, whatever the load. The limit is a constant and not a setting, so that nobody can raise it by accident.
--
aoife + Thresholds need this more than they need throughput.
samira +
marguerite + Understood.

@@ 155 issue mateus 2026-10-05 open
The broker closes four thousand batches a minute in the evening
labels: messaging, performance

Processor at 90 percent between 18:00 and 20:00 since the boards of the Crowland side joined. Nearly all of it is closing batches.
--
jasper: It holds. But there is not much room before the winter.

@@ 158 pr mateus 2026-10-09 merged 2026-10-13 leila
Let batches wait up to eight seconds under load
labels: messaging, performance
files: window/batch.go window/settings.go deploy/values.yaml

When the broker is busy a batch may stay open for up to eight seconds. At rest nothing changes. Takes the evening peak of #155 from 90 to 55 percent on staging.
--
jasper + The graph on staging is convincing.
leila ~ Is there not something written about the window? I cannot find it from the train.
mateus: The two seconds in docs/batches.md are for the quiet case, I left them.
leila +
