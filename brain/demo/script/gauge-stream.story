@@ tree ilse 2025-04-08
Import the gauge ingest from the pilot repository
files: src/{main.rs,config.rs} src/bin/replay.rs src/ingest/{mod.rs,mqtt.rs,lora.rs} src/decode/{mod.rs,hydrolog.rs,pressure.rs} src/quality/{mod.rs,spikes.rs,frozen.rs} src/backfill/{mod.rs,csv.rs} src/sink/{timescale.rs,live.rs} migrations/001_readings.sql tests/{decode.rs,quality.rs} deploy/{Dockerfile,values.yaml} docs/loggers.md .github/workflows/{ci.yaml,release.yaml} Cargo.toml Cargo.lock CHANGELOG.md README.md

@@ 1 issue jonas 2025-04-16 fixed
Readings from Holme arrive twice after the modem reconnects
labels: bug, field-report

The modem at Holme drops every night around two. When it is back I see each reading of the last hour twice, same value, a few
seconds apart. The graph looks fine because it draws over itself, but the CSV that the board gets has double rows.
--
bjarki: The logger resends everything that was not acknowledged and we acknowledge after the write, so a lost ack means a second write. The key should be the logger's own sequence number.
jonas: The old loggers have no sequence number, only a time.
bjarki: Then (logger, instant) for those. Two readings of one logger in the same second do not exist.

@@ 2 pr neil 2025-04-22 merged 2025-04-25 ilse
Read the CSV dumps of the old data loggers
labels: enhancement
files: src/backfill/{csv.rs,mod.rs} A:tests/backfill.rs docs/loggers.md
commits: Parse the three date formats seen in the dumps | Refuse a dump whose header we do not know

Eleven years of files from the boards' own PCs. Three date formats, two decimal separators, and one site where someone wrote
remarks into the value column. Unknown headers are refused with the line number, never guessed.
--
ilse @ src/backfill/csv.rs: The British summer time handling deserves a test with the hour that exists twice.
neil: Added, with the dump from October 2016 cut down to six lines.
bjarki +
ilse +

@@ 3 pr bjarki 2025-04-29 merged 2025-05-02 bjarki
Make a reading's identity the logger and its sequence
labels: bug
files: src/ingest/{mod.rs,mqtt.rs} src/sink/timescale.rs A:migrations/002_reading_identity.sql
commits: Add a unique index on logger and sequence | Upsert instead of insert

Resent readings now meet the row that is already there. Old loggers without a sequence use the instant.

Fixes #1.
--
wren +
ilse + The migration took 40 seconds on a copy of production, fine for a Tuesday morning.

@@ 4 issue ilse 2025-05-14 fixed
Frozen float is only noticed after six hours
labels: bug, telemetry

The rule wants 24 identical readings. With the new 15 minute schedule that is six hours, in which a rising river looks flat.
Should be a matter of time and of what the neighbours do, not of a count.
--
aoife: For thresholds two hours would be fine. A flat line on a gauge whose upstream neighbour rises is suspicious after 30 minutes.
ilse: I do not have the topology of the river here. But I can compare with rainfall at the same site.

@@ 5 pr neil 2025-05-20 merged 2025-05-28 ilse
Backfill in chunks of a day so that a crash loses little
files: src/backfill/{mod.rs,csv.rs} tests/backfill.rs
commits: Commit after each day | Remember the last finished day

A run over eleven years took nine hours and died twice at the end. Now it resumes after the last finished day.
--
bjarki ! If the day is committed but the marker is not, the resume inserts it again. Since #3 that is harmless for new loggers but not for CSV rows, they have no sequence.
neil: Marker and rows are now in one transaction.
ilse +
bjarki +

@@ 6 pr ilse 2025-06-03 merged 2025-06-11 bjarki
Judge a frozen float by time and rain
labels: telemetry
files: src/quality/{frozen.rs,mod.rs} tests/quality.rs A:docs/quality.md
commits: Measure flatness in minutes | Halve the limit while it rains

A gauge is frozen after 120 flat minutes, 60 while the rain bucket at the same site tips. The doc page explains each rule
in two sentences for the boards.

Closes #4.
--
aoife + Thank you. I ran it over last February: four true freezes found, no false ones.
bjarki @ src/quality/frozen.rs: 120 is in the code twice.
ilse: One constant now.
eunice + The page for the boards is the first one that they have understood.
bjarki +

@@ push neil 2025-06-17
Note which site wrote remarks into the value column
files: docs/loggers.md

@@ release v0.7.0 2025-06-18 ilse
Nothing twice
- Resent readings are stored once (#3).
- Frozen floats are found by time, faster when it rains (#6).
- Backfill of the boards' CSV dumps, resumable (#2, #5).

@@ 7 issue ilse 2025-06-10 closed 2025-06-16 ilse
The quality stage has no numbers of its own
labels: telemetry

How many readings were flagged, by rule and by site? I answer that with grep every month.
--
wren: Counters with two labels are fine. Not three, the site list is long.
[2025-06-16] ilse: In main since this week, came with #6.

@@ 8 pr neil 2025-06-24 merged 2025-06-27 ilse
Backfill: skip rows that a site marked as "boat"
files: src/backfill/csv.rs tests/backfill.rs

At the marina the lock keeper typed "boat" whenever a wash made the level jump. Those rows are skipped and counted.
--
ilse + My favourite pull request this year.
bjarki: There is also one "swan" in 2019.

@@ 9 issue wren 2025-07-03 fixed
Memory grows by 30 MB an hour on the Fosdyke broker
labels: bug

Started after the upgrade to v0.7.0, restarts at 2 GB. Heap profile points at the map of unacknowledged messages.
--
bjarki: With the unique index a duplicate is "zero rows", and the code treats zero rows as "not written, keep it for a retry". So every duplicate stays forever. Mine.
wren: I set a nightly restart for now. @bjarki, please do not let me forget to remove it.
eunice: Fosdyke lost eleven minutes at the restart on Sunday, in case somebody asks about the gap.

@@ 10 pr bjarki 2025-07-07 merged 2025-07-08 wren
Acknowledge a duplicate
labels: bug, regression
files: src/ingest/mqtt.rs src/sink/timescale.rs

Zero rows written because the row exists is success. Fixes #9.
--
ilse +
wren + Flat since an hour on the canary.

@@ release v0.7.1 2025-07-08 wren
Leak fix
Duplicates are acknowledged and no longer held in memory (#10). Remove your nightly restarts.

@@ push bjarki 2025-07-17
Raise the alert when a broker restarts twice in a day
files: deploy/values.yaml

@@ 11 issue aoife 2025-07-29 fixed
Spike filter eats the tidal bore
labels: bug, telemetry

At the outfall the spring bore lifts the level by 70 cm in two minutes. The filter calls that a spike and the forecast loses the most
important quarter of an hour of the month.
--
miho: It is not only springs. With the wind from the north-east a neap does it as well.
ilse: A spike goes up and comes back. The bore stays. I can require the return.
miho: Then please allow at least 25 minutes for the return, the level oscillates behind the bore.
eunice: I have a film of it. It is a real wave, about knee-high, and it makes a noise.

@@ 12 pr ilse 2025-08-05 merged 2025-08-14 ilse
A spike has to come back
labels: telemetry
files: src/quality/{spikes.rs,mod.rs} tests/quality.rs docs/quality.md
commits: Require the return within 25 minutes | Add the bore of 12 March as a test

A jump that stays is a level, a jump that returns is a spike. Waiting for the return delays the verdict, so the reading goes out at
once flagged SUSPECT and is corrected afterwards.

Closes #11.
--
miho @ tests/quality.rs: Nice choice of data, that was the day I was standing next to it.
miho +
aoife ! Downstream gets a correction as a second reading with the same instant. The notifier would send a second text message. Please hold this until floodline ignores corrections.
aoife: merefold/floodline#12 is deployed, this can go.
zofia +
aoife +

@@ 13 issue wren 2025-08-07 open
Rotate the gateway certificates
labels: security

The LoRa gateways use the same hand-made certificates as the gates, with the same end in December 2027. Separate issue because a different team has to drive there.
--
jonas: Ours are on roofs. Please give me a dry month.

@@ 14 issue jonas 2025-08-19 duplicate 2025-08-22
Old pressure loggers jump by a metre on cold mornings
labels: bug, field-report, duplicate

Three of the pressure loggers along the Glen drain read about a metre high before sunrise and recover by ten.
--
ilse: Looks like the temperature compensation, the same thing as in #15 which @eunice filed with the raw frames. Closing this one in favour of that.

@@ 15 issue eunice 2025-08-20 fixed
Temperature compensation has the wrong sign below 4 °C
labels: bug, telemetry
assign: ilse

Raw frames attached in the ticket of the board. Above 4 °C the result is right to the millimetre. Below, the correction is added where it
should be subtracted, at 1 °C that is 96 cm.
--
ilse: Confirmed from the frames. The data sheet has a table with a sign change that our formula does not have.
eunice: The maker says "see application note 12" and does not publish application note 12.
jonas: So my cold mornings in #14 are the same thing. Good to know.

@@ 16 pr ilse 2025-08-25 merged 2025-08-27 bjarki
Use the maker's table for pressure at low temperature
labels: bug
files: src/decode/pressure.rs tests/decode.rs docs/loggers.md

The polynomial is gone; the table has 41 rows and we interpolate. Frames from the Glen drain are the test.

Fixes #15.
--
bjarki + 
ilse: The table ends at 40 °C, above that we clamp. Should never matter in the Fens.
jonas +
eunice + Checked three loggers by hand, they agree with the staff gauge.

@@ 17 pr bjarki 2025-09-04 merged 2025-09-10 bjarki
Rename the hydrolog decoder to hydra
files: R:src/decode/hydrolog.rs>src/decode/hydra.rs src/decode/mod.rs tests/decode.rs docs/loggers.md

The product has been called Hydra since 2021 and new colleagues look for that name. Contents unchanged.
--
ilse +

@@ 18 issue luc 2025-09-11 fixed
Live feed replays the last minute to every new console
labels: bug

Opening a second browser tab makes all the tiles flash because the live sink sends a minute of history first.
--
bjarki: That is on purpose, so that a tile is not empty. But it should be marked as history.
luc: A flag would be enough for me.

@@ 19 pr bjarki 2025-09-16 merged 2025-09-18 ilse
Mark replayed readings in the live feed
files: src/sink/live.rs

Closes #18.
--
luc + Tiles are calm now.
zofia +
ilse +

@@ 20 pr dep 2025-09-22 merged 2025-09-23 bjarki
Bump rumqttc from 0.23.0 to 0.24.0
labels: dependencies
files: Cargo.toml Cargo.lock

Bumps the MQTT client. One breaking change upstream, not used here.
--

@@ 21 pr bjarki 2025-09-30 merged 2025-10-02 ilse
Send a heartbeat for gauges that have nothing to say
labels: telemetry
files: src/sink/live.rs src/ingest/mod.rs src/config.rs
commits: Emit a heartbeat per gauge | Make the interval a setting

The console cannot tell a calm gauge from a dead stream: both are silent. Every gauge now gets a heartbeat each 30 seconds with the instant
of its last reading.

Fixes merefold/control-room#15.
--
priya + Tested against the badge, it goes grey after 95 seconds as it should.
ilse @ src/config.rs: Upper bound? Someone will set an hour to save traffic.
bjarki: Five minutes at most, refused at start otherwise.
luc +
ilse +

@@ release v0.9.0 2025-10-07 ilse
Heartbeats
- A heartbeat for every gauge, so that silence means something (#21).
- Spikes must return before they are called spikes (#12).
- Cold-weather fix for pressure loggers (#16): expect levels to drop by up to a metre on frosty mornings. They were wrong before.
- Replayed readings are marked (#19). `hydrolog` is now `hydra` in configuration files (#17).

@@ push ilse 2025-10-15
Photograph of the right way to mount a pressure logger
files: docs/loggers.md

@@ 22 issue wren 2025-10-21 fixed
Ingest stops when Timescale fails over
labels: bug

During the exercise on Sunday the primary moved and ingest needed a manual restart at both brokers. Pool errors are not retried.
--
bjarki: The pool keeps the dead address. I will resolve again on each reconnect.
wren: Please also buffer meanwhile. Fifteen minutes of readings is 4 MB, that fits anywhere.
aoife: During the gap the forecast used the last known levels without saying so. I will open something on our side.

@@ 23 pr bjarki 2025-10-28 merged 2025-11-06 ilse
Survive a database failover
labels: enhancement
milestone: Winter readiness 2025
files: src/sink/timescale.rs src/main.rs src/config.rs deploy/values.yaml A:src/sink/buffer.rs
commits: Resolve the address on every reconnect | Buffer to disk while the database is away | Replay the buffer in order

Up to an hour of readings goes to disk and is replayed in order. When the disk is full the oldest go first, and that is logged loudly.

Fixes #22.
--
ilse ! Dropping the oldest is wrong for us: the oldest are the ones nobody has seen. The newest still come over the live feed.
bjarki: You are right. It now refuses new acknowledgements when full, so that the loggers keep them.
wren @ deploy/values.yaml: Needs a volume claim, the pod's own disk disappears with the pod.
bjarki: Added, 1 GiB.
wren +
zofia @ src/sink/buffer.rs: What happens to a half-written record after a power cut?
bjarki: It has a length and a checksum, a torn one at the end is cut off.
zofia +
ilse +

@@ 24 issue eunice 2025-11-12 open
Logger battery level is decoded but never stored
labels: enhancement, good first issue

The frames of the Hydra have a byte for the battery. Knowing it would spare us a drive in November instead of a dead gauge in January.
--
ilse: Easy to store. Where should it be seen?
eunice: A list in crewboard, sorted from weakest, would make my winter.
gwen: We can show anything that has a site and a number.
jonas: I have two in the van whose battery I would like to know before I climb.

@@ push bjarki 2025-12-05
Remove the nightly restart at Fosdyke
files: deploy/values.yaml

@@ 25 pr ilse 2025-12-16 merged 2026-01-07 ilse
Emit quality flags
labels: telemetry
files: src/quality/{mod.rs,spikes.rs,frozen.rs} src/sink/{timescale.rs,live.rs} tests/quality.rs A:migrations/003_quality_flags.sql Cargo.toml Cargo.lock
commits: Store the flags beside the reading | Keep writing the valid bit for old readers

The reasons which the quality stage computes now leave the house, as in merefold/fenproto#13.
--
bjarki +
aoife + Switched floodline to read them on staging, two lines.
zofia ~ The migration has no down step. I know we never go down, but then delete the empty file too.
hamid +
daudi +

@@ release v0.10.0 2026-01-13 ilse
Flags and failover
- Quality flags in place of one bit (#25).
- Readings survive a database failover, on disk if need be (#23).

@@ 26 issue aoife 2025-12-18 closed 2026-01-07 ilse
Late readings rewrite the past without a trace
labels: telemetry

A forecast that I rerun for last Tuesday gives another result than on Tuesday, since readings have arrived in between. I need to know what was known at the time.
--
bjarki: We could store the arrival time beside the instant. Two clocks.
ilse: It is in the table already (`received_at`), nobody selects it.
aoife: I do now. Thank you, that was cheap.
[2026-01-07] ilse: Documented with the flags in #25, so I count this as done.

@@ 27 pr bjarki 2026-01-27 merged 2026-02-04 bjarki
Delta-code readings on the LoRa uplink
labels: enhancement
files: src/ingest/lora.rs src/decode/{mod.rs,hydra.rs} docs/loggers.md
commits: Decode deltas | Accept both encodings for the life of a logger

Fourteen of the eighteen bytes that merefold/fenproto#14 wanted, without a second schema.
--
hamid + See, it can be done.
ilse @ src/decode/hydra.rs: A lost packet makes every following delta wrong until the next full reading. How often is a full one sent?
bjarki: Every eighth. Deltas after a gap are flagged SUSPECT until then.
eunice ~ Which loggers need new firmware for it? I would have to drive.
bjarki: None. It is a setting that we can send.
eunice +
ilse +

@@ push ilse 2026-02-10
Explain SUSPECT to boards
files: docs/quality.md

@@ 28 issue zofia 2026-02-18 fixed
`quality::frozen_in_rain` fails one run in twenty
labels: flaky-test

It asserts on wall time. On a busy runner the rain ends before the float freezes.
--
ilse: I gave it a clock in #29, sorry.

@@ 29 pr ilse 2026-02-19 merged 2026-02-19 ilse
Pass the clock into the quality rules
labels: flaky-test
files: src/quality/{mod.rs,frozen.rs,spikes.rs} tests/quality.rs

No rule reads the time by itself any more. Fixes #28.
--

@@ 30 issue aoife 2026-03-24 fixed
Levels from Hydra loggers are off by one datum
labels: bug, telemetry
milestone: Flood season 2026

Crowland and Holme both forecast 3.1 m too high after their loggers were swapped for Hydras. The offset table has the right number, it is
just applied twice: once here and once in floodline.
--
ilse: Because the raw reading does not say whether it has been applied. I would rather fix it in the schema than in two tables.
bjarki: I will take it from fenproto's side.
daudi: For the night I have switched the offset off in floodline for those two sites, by hand. Please tell me when I can switch it on again!
bjarki: After floodline reads the datum, not before.
jonas: Crowland's board asked me whether they should evacuate the cricket pitch.

@@ 31 pr bjarki 2026-03-30 closed 2026-04-13
Backfill: time zone of the Welland dumps
files: src/backfill/csv.rs

The Welland PCs were on GMT all year, so every summer in those dumps is an hour off. The change is from an old branch of Neil's that I found while tidying; I only made it compile again.
--
ilse ! I do not doubt that it is right, but nobody here dares to touch the backfill since Neil left. Without a dump as a test I cannot approve it.
bjarki: The dumps stayed on the laptop that he handed back. IT says it was wiped.
ilse: Then I close this for now, and keep the branch.

@@ 32 issue zofia 2026-04-08 not_planned 2026-04-20
Could we run the decoder in the browser?
labels: question

With WebAssembly the console could show raw frames for support.
--
ilse: It could. Who would look at them?
eunice: Me, twice a year, and I have the command line.

@@ 33 pr bjarki 2026-04-27 merged 2026-05-05 ilse
Write the datum with every level
labels: telemetry
milestone: Flood season 2026
files: src/decode/{mod.rs,hydra.rs,pressure.rs} src/sink/{timescale.rs,live.rs} A:migrations/004_datum.sql Cargo.toml Cargo.lock docs/loggers.md
commits: Add the datum column | Fill the datum in the decoders

The decoder knows which zero it has, so it says so (merefold/fenproto#22). The offset is applied in one place, on the way into the database.
--
aoife + Tested with Crowland: 1.24 m where it was 4.34.
hamid +
zofia +
miho ~ For the outfalls ORDNANCE is right, I checked all four.
ilse +

@@ push wren 2026-05-12
Reserve a little more memory for the replay
files: deploy/values.yaml

@@ 34 issue miho 2026-05-21 fixed
Outfall gauge is resampled to 15 minutes
labels: bug, telemetry

The outfall logger reports each minute. In the database I find only every fifteenth value, so the tide model is fed with a staircase.
--
bjarki: The compaction job keeps one value in fifteen after a week. It has done so since the pilot.
miho: For tides I need the minute for at least two years. The harmonic fit is hopeless otherwise.
bjarki: Two years of minutes for four tidal gauges is nothing. I will exempt them.
aoife: So that is why the tide curve looks like a flight of stairs on the console.

@@ 35 issue jonas 2026-06-04 open
Levels at the Glen drain sag in hot weather
labels: field-report

On hot afternoons the three pressure loggers there read 20 to 30 cm low, by evening they are right again. Nobody upstream pumps at that time, I asked.
--
eunice: Is it the vent tube? At Counter Drain we had condensation.
jonas: I dried one of them with a hair dryer from the van. No difference.

@@ 36 pr bjarki 2026-06-09 merged 2026-06-16 bjarki
Keep every minute of tidal gauges for two years
labels: telemetry
files: A:migrations/005_tidal_retention.sql src/config.rs docs/quality.md

Gauges tagged `tidal` are left out of the compaction for 730 days.

Closes #34.
--
miho + Thank you!
ilse ~ Not opposed, but I would like to see the disk in a month.
aoife +

@@ release v0.11.0 2026-06-23 ilse
Datum and tides
- Levels are stored with their datum (#33). Switch off any manual offsets.
- Delta coding on the LoRa uplink (#27).
- Tidal gauges keep their minutes for two years (#36).

@@ 37 issue daudi 2026-06-29 closed 2026-07-29 bjarki
Heartbeat of a removed gauge never stops
labels: bug

Gauge 211 at Cowbit was taken out in May. Floodline still gets its heartbeat and waits for a reading.
--
bjarki: The list of gauges is read at start only.
[2026-07-29] bjarki: Rides along in #40: the list is read every ten minutes.

@@ 38 pr ci 2026-07-01 merged 2026-07-01 ilse
Update the licence years in file headers
files: src/{main.rs,config.rs}

Automated change.
--

@@ 39 issue bjarki 2026-07-15 fixed
Readings older than the retention are rejected with a 500
labels: bug

A logger that was in a drawer for a year sends its memory when switched on. The insert fails because the partition is gone, the message is
never acknowledged, and the logger tries again every minute until its battery is empty.
--
ilse: That explains the flat batteries of the two spares. Poor things.
eunice: I had those two spares in the drawer! I have apologised to them.

@@ 40 pr bjarki 2026-07-20 merged 2026-07-29 ilse
Acknowledge readings that are too old to store
labels: bug
files: src/ingest/mqtt.rs src/sink/timescale.rs A:src/sink/graveyard.rs

They go to a file, one a month, in case somebody asks. Fixes #39.
--
ilse ! Name. "graveyard" will be in a log line that a board reads.
bjarki: It is `late_arrivals` in logs and settings now, I left the module name for us.
zofia +
ilse +

@@ 41 issue eunice 2026-07-27 open
Pressure readings dip on sunny afternoons
labels: field-report

Deeping and Glen, loggers in the black housing. The dip follows the sun and not the water: a cloud, and the curve recovers within minutes. I think the housing heats the reference cell.
--
ilse: Interesting. Do you have the serial numbers? The table of #16 ends at 40 °C and a black housing gets hotter than that.
eunice: 60 °C on the thermometer that I taped to it.
ilse: Clamped at 40 °C would give about two decimetres at 60. That could be it, somebody has to ask the maker for a longer table.

@@ push ilse 2026-08-05
List loggers in black housings
files: docs/loggers.md

@@ 42 pr ilse 2026-08-18 merged 2026-08-25 hamid
Stop writing the valid bit in the replay tool
files: src/sink/live.rs src/bin/replay.rs

Last writer of `valid` here; for merefold/fenproto#26.
--
zofia +
hamid +

@@ 43 pr zofia 2026-09-08 open
Property tests for the delta decoder
labels: testing
files: tests/decode.rs A:tests/deltas.rs Cargo.toml Cargo.lock

Random sequences with random losses: whatever arrives, a value is either right or flagged. Found that a gap of exactly eight packets goes unnoticed;
the failing case is marked as ignored until somebody decides what to do.
--
bjarki: The counter is three bits wide. Eight lost packets look like none. I would need a wider counter, so a new frame version.
ilse ~ Or use the time: eight packets are two hours. I think we can tell.
bjarki ~ The ignored case should fail loudly at the start of winter. Put a date on it?

@@ 44 pr bjarki 2026-09-29 draft
Let the backfill read from object storage
files: src/backfill/{mod.rs,csv.rs} Cargo.toml Cargo.lock

Draft. First step to retire the machine under Ilse's desk. I do not understand the resume marker yet.
--
ilse: Ask git blame: everything in there is Neil's. The marker is explained in #5.
wren ~ What is on the machine under the desk apart from this? I would like to know before it disappears.

@@ push ilse 2026-10-06
Fix a dead link to the Hydra manual
files: docs/loggers.md
