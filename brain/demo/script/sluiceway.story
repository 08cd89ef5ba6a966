@@ 121 pr opritch 2026-06-17 merged 2026-06-23 viktor
Replay the buffer after a restart
labels: edge
files: gateway/buffer.go docs/restart.md

What was in the buffer when the gateway stopped is sent again after the start. Until now it was lost, up to two hours of readings at the small sites.
--
viktor + At last.
bjarki ~ How does the other end know that it has seen one before?
opritch: By time and value, as far as I understood ingest.

@@ 122 issue bjarki 2026-06-24 fixed
Readings are stored twice since the gateways restarted
labels: bug, edge

Since 03:30 every gateway that restarts sends its buffer again, also what had been acknowledged. Time and value are not enough for us: rain gauges send the same value all night.
--
viktor: Rolled back at 05:02. Numbers, then.

@@ 124 pr opritch 2026-06-24 merged 2026-06-24 bjarki
Number the buffered readings
labels: edge
files: gateway/buffer.go link/frame.go docs/restart.md

Each reading has a number that survives the restart, and only what was not acknowledged is sent again. Fixes #122.
--
bjarki + Doubles are gone on staging.

@@ 149 pr casimir 2026-09-17 merged 2026-09-21 opritch
Print the environment when a build fails
labels: edge
files: deploy/Dockerfile .github/workflows/ci.yaml

Cross builds fail without a word. This prints the environment at the end of a failed step so that one can see what is missing.
--
opritch + Helps a lot.

@@ 151 pr nadia 2026-09-23 merged 2026-09-23 viktor
Keep the environment out of the build log
labels: security
files: deploy/Dockerfile .github/workflows/ci.yaml

Takes out what #149 added. If you need to see a variable, print that one.
--
viktor +
