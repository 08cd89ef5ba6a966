@@ tree sanna 2025-04-07
Split the gate service from the pilot monolith
files: cmd/gatekeeperd/main.go internal/command/{queue.go,queue_test.go,expiry.go} internal/interlock/{rules.go,rules_test.go,eval.go} internal/modbus/{client.go,client_test.go,frames.go,serial.go} internal/store/{postgres.go,migrations.sql,audit.go} internal/watchdog/{heartbeat.go,heartbeat_test.go} deploy/Dockerfile deploy/helm/{values.yaml,templates/deployment.yaml} docs/{interlocks.md,commissioning.md,modbus-map.md} .github/workflows/{ci.yaml,release.yaml} go.mod go.sum CHANGELOG.md README.md

@@ 1 pr neil 2025-04-10 merged 2025-04-15 sanna
Talk Modbus over serial lines as well
labels: enhancement
files: internal/modbus/{serial.go,client.go,frames.go,client_test.go} docs/modbus-map.md
commits: Frame RTU telegrams | Wait three and a half characters between frames

Four stations still have an RS-485 bus and no Ethernet. RTU framing with the silent interval the standard asks for; below 19200 baud it is
computed, above it is fixed at 1.75 ms.
--
tomasz @ internal/modbus/serial.go: At Sedge Lock the converter adds its own 2 ms. Can the interval be per station?
neil: It is now, `gap` in the station file.
sanna +
tomasz +

@@ 2 issue eunice 2025-04-14 fixed
Gate shows "moving" for ever after the local key was used
labels: bug, field-report

When the lock keeper turns the key to local and moves the gate by hand, the state stays on moving until somebody restarts the service. Seen at
Thornwick gate 2 and at the Cowbit sluice.
--
sanna: In local mode the PLC stops counting the encoder, so we never see the end of the movement. We need to read the key switch.
eunice: Register 40017, bit 3, if the drawing is right. It is not always right.

@@ 3 pr sanna 2025-04-22 merged 2025-04-28 sanna
Read the local key switch
labels: bug
files: internal/modbus/client.go internal/command/queue.go docs/modbus-map.md
commits: Poll the key switch | Suspend remote commands in local mode

While the key is on local, remote commands are refused with a reason that the console can show, and the state is `local`.

Fixes #2.
--
neil +
tomasz @ internal/command/queue.go: A command that is refused because of the key should not stay in the queue.
sanna: It is dropped and the operator told.
tomasz +
eunice + Tried it at Cowbit. The drawing was right for once.

@@ 4 issue sanna 2025-05-02 fixed
Two gates of one lock can both be told to open
labels: bug, safety

The rule exists on the panel at each site but not here. If the panel is being serviced we would happily flood the lock chamber from both sides.
Interlocks must be evaluated on our side as well, for every command, whoever sent it.
--
tomasz: Before the queue or after it? A command may be fine when queued and not when executed.
sanna: Both. Before, to tell the operator at once; after, because it counts.
neil: Careful with the polling age: an interlock that looks at a position from 20 seconds ago is theatre.

@@ 5 pr sanna 2025-05-13 merged 2025-05-26 tomasz
Evaluate interlocks when a command is queued and again when it is sent
labels: safety
files: internal/interlock/{rules.go,rules_test.go,eval.go} internal/command/{queue.go,queue_test.go} docs/interlocks.md
commits: Describe a rule as data | Evaluate before queueing | Evaluate again before sending | Refuse stale positions

A rule is data: gates involved, condition, reason in words. An input older than five seconds makes every rule that needs it fail closed.

Closes #4.
--
tomasz ! Fail closed means a broken sensor locks the gate for good, and then they use the key and we see nothing. There has to be a way for a supervisor to override one named rule for a limited time.
sanna: Override added: one rule, one gate, at most 30 minutes, audited.
neil @ internal/interlock/eval.go: The map iteration makes the reported reason random if two rules fail.
sanna: Sorted by severity now.
tomasz + 
wren +
yusra ~ The override is audited, good. Who may give one?
sanna: Supervisors of the board, checked by role.
neil +

@@ push sanna 2025-05-27
Describe the 30 minute limit in the interlock guide
files: docs/interlocks.md

@@ 6 pr neil 2025-05-19 merged 2025-05-30 tomasz
Reconnect to a PLC with growing pauses
labels: enhancement
files: internal/modbus/{client.go,client_test.go}

After a storm all stations come back together and our 200 ms retry kept the weakest switch from ever recovering. Pauses grow from 1 s
to 60 s with some noise.
--
wren @ internal/modbus/client.go: Please export the number of retries as a metric, I want to see this from outside.
neil: `modbus_reconnects_total`, by station.
sanna +
wren +

@@ 7 issue eunice 2025-05-22 not_planned 2025-06-12
Write gate names on the door of the cabinet automatically
labels: question

Half a joke: could the commissioning tool print a label with the gate's name, address and register offset? I have just spent an hour opening cabinets at Deeping.
--
neil: There is a label printer in the van and a CSV export. I think you have just described a Friday afternoon, not a feature.
sanna: Closing, but the CSV is a good idea and now in the commissioning guide.

@@ 8 issue wren 2025-06-04 open
Rotate the gateway certificates
labels: security

They were made by hand for the pilot and end in December 2027. There is no procedure and nobody knows which PLC gateways check them.
--
yusra: I can make a list of who checks them, I have to visit most of the gateways for the firewall anyway.
wren: Perfect. No rush, but before everyone who remembers the pilot is gone.
eunice: I remember the pilot. There are five gateways that check, all with a yellow sticker. Or four.

@@ push tomasz 2025-06-05
Spell "holding register" the same everywhere
files: docs/modbus-map.md

@@ release v2.1.0 2025-06-10 sanna
Interlocks
- Interlocks are evaluated here as well as on site (#5), with a 30 minute override for supervisors.
- Local key switch is respected and shown (#3).
- RS-485 stations (#1), calmer reconnects (#6).

@@ 9 pr neil 2025-06-16 merged 2025-06-26 tomasz
Cache coil reads for 250 ms
labels: enhancement
files: internal/modbus/{client.go,frames.go,client_test.go}

Three readers ask the same coils in the same second. One read is enough, the bus at Sedge Lock carries 12 telegrams a second at best.
--
sanna ! Not for anything an interlock reads. See my comment on staleness in the interlock change.
neil: Interlock inputs bypass the cache now, there is a test that fails if they do not.
tomasz @ internal/modbus/client.go: 250 ms should be below the fastest poll. Is it?
neil: The fastest is 500.
tomasz +
sanna +

@@ 10 issue jonas 2025-07-01 fixed
Gate 4 at Thornwick opened against an active interlock
labels: bug, safety, field-report
assign: sanna

30 June, 04:12. Downstream was 11 cm above upstream, the interlock was active in the console, and the gate opened 140 mm anyway. No damage, the
operator closed it with the key. The audit log shows the command as accepted at 03:40.
--
sanna: So it was queued at 03:40 when the levels were fine and sent 32 minutes later. The second evaluation should have caught that.
tomasz: It did evaluate, on levels from 03:41. The gauge link was down and the five second limit is only applied to positions, not to levels.
sanna: @tomasz and I are taking this now. Until it is fixed: no queued movements at Thornwick, please.
eunice: For the report to the board: nobody was near the gate.
wren: Made a list of all queued commands older than a minute in the last month: 17, this was the only one with levels that had changed.

@@ 11 pr tomasz 2025-07-02 closed 2025-07-04
Drop queued movements after ten minutes
files: internal/command/{queue.go,expiry.go}

Quick stop for #10: a queue that old is never what the operator wants.
--
sanna ~ It would have hidden the problem, not solved it: nine minutes with a dead gauge link is as dangerous. Let us fix the staleness and look at expiry separately.
tomasz: OK, closing in favour of #12.
wren - Approving was too quick of me, see the discussion.

@@ 12 pr sanna 2025-07-02 merged 2025-07-03 tomasz
Treat a stale level like a stale position
labels: safety
files: internal/interlock/{eval.go,rules.go,rules_test.go} docs/interlocks.md
commits: Apply the age limit to every input | Replay the night of 30 June as a test

The age limit applied to gate positions only. Now every input of a rule has one: five seconds for positions, ninety for levels, and a rule
without a fresh input fails closed. The night at Thornwick is a test.

Closes #10.
--
tomasz + Replayed on the bench panel: refused with "level older than 90 s".
eunice +
yusra +
wren + Deploying to Thornwick first.

@@ 13 pr wren 2025-07-03 merged 2025-07-03 wren
Alert when an interlock input goes stale
files: deploy/helm/values.yaml A:deploy/alerts/interlocks.yaml

So that we hear of it before a gate does.
--

@@ release v2.1.1 2025-07-03 wren
Stale levels
Safety fix: a rule refuses when any of its inputs is stale (#12). Update Thornwick, Cowbit and Sedge Lock today.

@@ 14 issue zofia 2025-07-08 fixed
The override leaves no trace when it runs out
labels: bug

Setting an override is audited, its end is not. After an hour nobody can say from the log whether the rule was in force at a given minute.
--
yusra: An auditor will ask exactly this.

@@ 15 pr zofia 2025-07-14 merged 2025-07-21 sanna
Write the end of an override to the audit log
labels: bug
files: internal/store/audit.go internal/interlock/eval.go internal/interlock/rules_test.go

Both ends are written, with the reason of the end: time, revoked, or restart. Fixes #14.
--
yusra + Exactly what an auditor asks first.
wren +
sanna +

@@ 16 pr tomasz 2025-07-17 merged 2025-07-24 sanna
Refuse commands while the receiver's clock is not set
labels: safety
files: internal/command/{expiry.go,queue.go,queue_test.go} internal/watchdog/heartbeat.go docs/commissioning.md
commits: Read the PLC clock in the heartbeat | Judge expiry by our clock

A command that cannot be judged counts as expired. The heartbeat now carries the PLC's clock; more than five seconds of difference, or a clock in
1970, and nothing is sent.

Fixes merefold/fenproto#7.
--
hamid + From the schema's point of view this is right.
sanna @ internal/command/expiry.go: Say in the refusal how far off the clock is, the technician needs it.
tomasz: "PLC clock is 55 years behind" it says now.
wren +
sanna +

@@ 17 pr neil 2025-07-21 closed 2025-08-01
Split the Modbus client by transport
files: internal/modbus/{client.go,serial.go,frames.go} A:internal/modbus/tcp.go

Last thing before I go: the client is one file for two transports. I will not finish the tests in time, whoever inherits this may take the branch.
--
tomasz: I inherit it, I suppose. Thank you for everything, and for the comments in frames.go in particular. I close it and start from your branch once the season is over.
sanna: Thank you, Neil. The door stays open.

@@ 18 issue ghost 2025-08-06 fixed
Docker image runs as root
labels: security

Noticed while scanning: no USER line, and the volume is writable for the world.
--
wren: Thanks. Will fix together with the move of the base image.

@@ 19 pr wren 2025-08-08 merged 2025-08-12 wren
Run as an unprivileged user
labels: security
files: deploy/Dockerfile deploy/helm/templates/deployment.yaml deploy/helm/values.yaml

Serial devices need the group `dialout`, which is set in the chart. Fixes #18.
--
sanna +
yusra +

@@ push sanna 2025-08-14
Add the bench panel to the commissioning guide
files: docs/commissioning.md

@@ 20 issue priya 2025-08-19 fixed
Refusals reach the console without a reason
labels: enhancement

The API gives 409 and an empty body. Operators ring the on-call person to hear "the key is on local".
--
tomasz: The reason exists, it is just not serialised. Small change.
eunice: Last week I was called at five to explain a key switch.

@@ 21 pr tomasz 2025-08-21 merged 2025-08-26 tomasz
Return the reason of a refusal
files: internal/command/queue.go cmd/gatekeeperd/main.go

Each refusal has a code and a sentence. Codes are stable, sentences are not.

Closes #20.
--
sanna +
luc +
priya + The console shows it in the toast, works on staging.

@@ release v2.2.0 2025-09-02 sanna
Reasons
- Refusals say why (#21), also when the clock at the receiving end is not set (#16).
- The end of an override is audited (#15).
- The image no longer runs as root (#19): the chart must be updated together with it.

@@ 22 issue jonas 2025-08-27 closed 2025-08-28 jonas
Pump 2 at Deeping starts in reverse order after a power cut
labels: bug, field-report

After the cut on Monday pump 2 started before the vacuum pump, so it ran dry for a minute. On the panel the order is right, through our service it is not.
--
tomasz: We restore the last commanded state in the order of the database, which is no order. It has to follow the start sequence of the station file.
wren: Found the same at Fosdyke by reading the log; nobody noticed because the vacuum there is always on.
tomasz: Fixed by #21 as a side effect, refusals now include "vacuum not ready". Tested at Deeping with the real breaker.
[2025-08-28] jonas: Confirmed, and the pump sounds happy.

@@ 23 pr tomasz 2025-09-08 merged 2025-09-19 sanna
Only accept commands with an actor
labels: breaking, security
milestone: 2.0 protocol
files: internal/command/{queue.go,queue_test.go} internal/store/{audit.go,migrations.sql} cmd/gatekeeperd/main.go go.mod go.sum
commits: Take fenproto 1.1 | Store the actor in the audit log | Refuse anonymous commands

Takes merefold/fenproto#9. Commands with the old operator string are refused with code `ACTOR_MISSING`. Old rows in the audit log keep what they had.
--
yusra ! The subject ends up in the access log of the ingress because it is in the query string of the status call. Please move it into the body.
tomasz: Moved. Also added it to the list of redacted fields.
yusra +
hamid +
wren ~ Order of deployment matters: console first. Added to the plan for Tuesday.
sanna +

@@ push tomasz 2025-09-23
Correct the offset of Cowbit gate 2 in the register map
files: docs/modbus-map.md

@@ 24 issue wren 2025-09-24 fixed
Heartbeat flaps when the mobile link has 4 s latency
labels: bug
milestone: Winter readiness 2025

The limit of 5 s includes the poll interval, so in effect the link may take 1 s. In the evening the 4G at Cowbit takes four. The console shows the
station as lost and found 200 times a night.
--
tomasz: Count missed beats instead of seconds?
wren: Three missed beats, then. And one good one to come back.
eunice: Cowbit has a second mast from November, but do not count on it.

@@ 25 pr tomasz 2025-09-30 merged 2025-10-06 wren
Lose a station after three missed beats
labels: enhancement
milestone: Winter readiness 2025
files: internal/watchdog/{heartbeat.go,heartbeat_test.go} deploy/helm/values.yaml

Closes #24.
--
sanna +
wren + Cowbit: two flaps last night instead of 214.

@@ 26 pr ci 2025-10-01 merged 2025-10-01 wren
Update the base image to Debian 13
labels: dependencies
files: deploy/Dockerfile

Scheduled update of the base image.
--

@@ 27 issue wren 2025-10-09 closed 2026-01-30 wren
Container restarts are not visible to the boards

They see a gap of twenty seconds in the log and ask what happened. A line "service restarted, all interlocks evaluated again" would be enough.
--
sanna: As long as it is written after the evaluation and not before.
wren: Done with the status page of the boards, which we do not keep here.

@@ 28 issue eunice 2025-10-15 fixed
Half-open limit switch makes the gate bounce
labels: bug, field-report
milestone: Winter readiness 2025

At Thornwick gate 1 the limit switch chatters when the gate reaches the top. Our service sees closed, open, closed and sends a new stop each time. The contactor
does not like it.
--
sanna: Can you measure how long it chatters?
eunice: 340 ms at worst, measured with the scope over twenty movements. The replacement part is due in February.
tomasz: Then 500 ms of debounce, per station, and a note to remove it.

@@ 29 pr tomasz 2025-10-20 merged 2025-10-29 sanna
Debounce limit switches
labels: bug
milestone: Winter readiness 2025
files: internal/modbus/{client.go,client_test.go} docs/{modbus-map.md,commissioning.md}

500 ms by default, a station can set its own. An emergency stop is never debounced.

Fixes #28.
--
sanna ! "Never debounced" is true for the stop button but not for the slack-rope switch, which uses the same input card. Add it to the list of exceptions and test it.
tomasz: Both are in the list now, with a test that walks over all inputs of class stop.
sanna +
wren +
eunice + Quiet.

@@ release v2.3.0 2025-11-04 sanna
Ready for winter
- Limit switches are debounced (#29).
- A station counts as lost after three missed beats (#25).
- Commands need an actor (#23). Consoles older than 5.2 cannot move gates.

@@ push wren 2025-11-13
Keep logs of the canary for 30 days
files: deploy/helm/values.yaml

@@ 30 issue daudi 2025-11-17 fixed
Schedule fires twice in the night the clocks change
labels: bug

The weekly flushing at Cowbit is set for 01:30. On 26 October it ran at 01:30 and at 01:30.
--
sanna: Local time in the schedule, and that hour exists twice. Flushing twice is harmless, but the next one might not be.
daudi: Store UTC and a zone, compute the next run from the last one and never run two within the same local date.
wren: Cron has solved this in 1987. We have not.

@@ 31 pr sanna 2025-11-24 merged 2025-12-03 tomasz
Run a schedule once per local date
labels: bug
files: internal/command/{queue.go,queue_test.go} A:internal/command/schedule.go A:internal/command/schedule_test.go

The hour that exists twice runs once, the hour that does not exist runs at its end. Fixes #30.
--
daudi @ internal/command/schedule_test.go: Could you add Lord Howe, half an hour of shift? Not a customer, just a good test.
sanna: Added, it passed.
daudi +
zofia +
tomasz +

@@ 32 pr sanna 2025-12-08 merged 2025-12-09 sanna
Backport: run a schedule once per local date
labels: bug
base: release/2.3
from: v2.3.0
files: internal/command/{queue.go,queue_test.go} A:internal/command/schedule.go A:internal/command/schedule_test.go

For the boards that stay on 2.3 over the winter. Same as #31.
--

@@ release v2.3.1 2025-12-10 sanna
branch: release/2.3
Schedules
Backport of the schedule fix (#32). Nothing else.

@@ 33 issue tomasz 2025-12-16 open
Modbus client has no owner who understands the timing
labels: tech-debt

I have kept internal/modbus alive since August, but the timing in serial.go is still magic to me. Comments by Neil help; a bench with a real bus would help more. Who could take this with me? @wren, @eunice?
--
wren: I can build the bench. I cannot promise to understand it.
eunice: There is an old panel from Cowbit in the store, with the converter that adds 2 ms.
sanna: What is hard in that folder is Neil's, and he is gone; the rest is Tomasz. It is a risk for the winter and I have put it on our list.

@@ 34 issue sanna 2026-01-06 open
Prove that no command can leave without an evaluation
labels: safety, tech-debt

We rely on reading. I would like the type system to do it: a `Permit` that only the evaluator can make and that the sender takes, valid for five seconds.
--
hamid: Go cannot seal a type completely, but an unexported field and one constructor get you most of the way.
tomasz: The emergency stop must not need a permit.
sanna: A stop never needs anything.

@@ 35 pr tomasz 2026-01-12 merged 2026-01-23 sanna
Record bus timing for the bench
files: internal/modbus/{serial.go,frames.go} A:internal/modbus/trace.go A:internal/modbus/trace_test.go

Writes each telegram with microseconds to a ring buffer that can be downloaded. First step for #33.
--
sanna +
wren ~ 64 MiB of ring on a device with 128 is optimistic.
tomasz: 4 MiB.
zofia +

@@ 36 pr sanna 2026-01-15 merged 2026-01-29 tomasz
Write interlock rules in a file of their own for every site
labels: safety, enhancement
files: internal/interlock/{rules.go,rules_test.go,eval.go} A:internal/interlock/load.go docs/{interlocks.md,commissioning.md} cmd/gatekeeperd/main.go
commits: Load rules from a directory | Refuse a site whose rules do not load | Say which rule file a refusal came from

Until now a new rule meant a new build. A site's rules are now a file that the commissioning engineer writes and a second one signs.

A service that cannot load its rules starts, shows everything and moves nothing.
--
tomasz ! "Signed" is a line in the file that anybody can write. Either check it or do not call it signed.
sanna: Called "checked by" now. A real signature is a matter for another day.
tomasz +
eunice + I wrote the file for Sedge Lock with it, took twenty minutes.
yusra ~ Fine by me as long as the word "signed" does not come back.
zofia @ internal/interlock/load.go: An empty file loads as "no rules". Should that move gates?
sanna: It must not. An empty file is refused.
zofia +

@@ push eunice 2026-01-21
Say how to read the sticker on the converter
files: docs/commissioning.md

@@ 37 issue luc 2026-02-05 fixed
Commands from the console are rejected with ACTOR_MISSING after a token refresh
labels: bug, regression

About one operator in ten gets it, always an hour after signing in. A reload of the page helps.
--
tomasz: The actor is empty in what we receive, so I think it is on the console's side. Leaving this open until it is found there.
yusra: The refresh gives a token without the subject claim unless one asks for the scope again. I will fix it in control-room.
eunice: My own tablet does it too, ten past seven every morning.

@@ 38 pr dep 2026-02-09 merged 2026-02-10 wren
Bump golang.org/x/crypto from 0.31.0 to 0.45.0
labels: dependencies, security
files: go.mod go.sum

Bumps golang.org/x/crypto from 0.31.0 to 0.45.0.
--
wren +

@@ 39 pr wren 2026-02-17 merged 2026-02-24 sanna
Drain the queue before shutting down
labels: enhancement
files: cmd/gatekeeperd/main.go internal/command/{queue.go,queue_test.go} deploy/helm/templates/deployment.yaml

A rolling update cut a movement in two last week: the old pod sent "open", the new pod never knew and sent no stop. Now a pod finishes its movements, at most four minutes,
and hands the rest to its successor through the database.
--
sanna ! Handing over a movement needs the interlocks to be evaluated by the new pod before it continues. I do not see where that happens.
wren: It did not. The successor now treats a handed-over movement like a new command.
sanna +
zofia @ internal/command/queue_test.go: Can we kill the pod in the test for real? I have a small harness.
wren: Yes please, added yours.
zofia +
tomasz +

@@ 40 issue jonas 2026-03-02 fixed
Encoder of Sedge Lock counts backwards below zero
labels: bug, field-report

When the gate is pressed shut the encoder goes to 65535 and the console shows an opening of sixty-five metres.
--
tomasz: Wraps around. I will treat the top 500 counts as negative and then as zero.
eunice: Sixty-five metres would be the highest sluice in Europe.

@@ 41 pr tomasz 2026-03-04 merged 2026-03-09 wren
Treat an encoder just below zero as closed
labels: bug
files: internal/modbus/{client.go,client_test.go}

Fixes #40. No more sixty-five metre gates.
--
sanna +
wren +

@@ release v2.4.0 2026-03-10 sanna
Rules in files
- Every site has its rules in a file (#36).
- A rolling update finishes movements first (#39).
- Bus traces for the bench (#35), encoder fix for Sedge Lock (#41), schedules run once per local date (#31).

@@ push wren 2026-03-13
Quieter alert for stale inputs during maintenance
files: deploy/alerts/interlocks.yaml

@@ 42 pr sanna 2026-03-16 merged 2026-03-23 sanna
Simulate a rule file against last winter
labels: safety
files: A:cmd/rulesim/main.go internal/interlock/{eval.go,load.go} docs/interlocks.md

`rulesim` replays a season of levels and commands against a rule file and prints what would have been refused. For Crowland it found a rule that had never once
been true.
--
eunice + Best tool of the year. Can it draw?
zofia +
wren ~ Could it run in CI against all rule files, nightly?
sanna: In the next step.
tomasz +

@@ 43 issue piotr 2026-03-17 closed 2026-06-22 tomasz
Status call takes eight seconds when one station is down
labels: bug

crewboard asks for the state of all stations of a district and gets nothing until the dead one has timed out.
--
tomasz: Should answer from the heartbeat and not from the bus.
[2026-06-22] tomasz: The snapshot of #53 does that.
piotr: 40 ms now.

@@ 44 issue aoife 2026-03-26 open
Let floodline ask for a closed gate instead of closing it
labels: enhancement

When the surge forecast says so we send a command as a rule actor. I would prefer to state a wish ("closed by 21:40") and leave the how to you.
--
sanna: I like it. A wish has a deadline and a reason and may fail loudly.
miho: The deadline would come from the tide model, with an uncertainty. Is "between 21:25 and 21:40" possible?
sanna: Then it is the earlier one.
gwen: From the crews' side: tell us as well when a wish cannot be met, we can drive there and turn the key.

@@ 45 pr tomasz 2026-04-02 merged 2026-04-20 sanna
Read several registers in one telegram
labels: enhancement
files: internal/modbus/{client.go,frames.go,client_test.go} docs/modbus-map.md
commits: Group neighbouring registers | Cap a group at 40 registers

A poll of Cowbit needs 9 telegrams instead of 61. Capped at 40 registers because the oldest PLC answers garbage above.
--
wren @ internal/modbus/frames.go: Where does 40 come from? The standard says 125.
tomasz: From trying. 47 works on Mondays.
wren + Put that sentence into the code, please.
wren: Bus load at Cowbit from 71 to 12 per cent.
sanna +

@@ 46 pr hamid 2026-04-14 closed 2026-05-18
Express interlock rules in CEL
labels: enhancement
files: internal/interlock/{rules.go,rules_test.go,eval.go,load.go} docs/interlocks.md go.mod go.sum

Our own condition language has grown brackets, units and now functions. The Common Expression Language has all that, with a type checker, and rules of all sites
translate mechanically.
--
sanna ~ I admire it. But the people who write these files are commissioning engineers, and `has(gate.down) && gate.down.level - gate.up.level < 0.1` is not better for them than "downstream less than 10 cm above upstream".
tomasz: Also the number of people who can review a change in the evaluator would be one.
hamid: Both true, thanks @sanna. I close it; the translator is in the branch if it is ever wanted.
wren ~ Whatever the language, the reason in words has to stay first class. Operators read that and nothing else.
zofia ~ I would miss `rulesim` being able to explain a refusal.

@@ 47 issue yusra 2026-04-28 fixed
Audit log can be edited by the service's own user
labels: security

The role has UPDATE on every table. It should have INSERT and SELECT on the audit table and nothing more.
--
wren: It has had UPDATE since the pilot. I never looked.

@@ 48 pr yusra 2026-05-04 merged 2026-05-11 wren
Take UPDATE and DELETE on the audit log away
labels: security
files: internal/store/{migrations.sql,postgres.go,audit.go} deploy/helm/values.yaml

Two roles, one to migrate and one to run. Fixes #47.
--
wren @ deploy/helm/values.yaml: The migration job needs the other secret. I would rather not have both in one values file.
yusra: Separate secret, mounted in the job only.
wren +
sanna +
tomasz +

@@ push sanna 2026-05-14
List the rules of Crowland as an example
files: docs/interlocks.md

@@ 49 pr tomasz 2026-05-20 merged 2026-06-03 sanna
Carry out wishes with a deadline
labels: enhancement
milestone: Flood season 2026
files: internal/command/{queue.go,queue_test.go,expiry.go} A:internal/command/wish.go A:internal/command/wish_test.go cmd/gatekeeperd/main.go
commits: Add wishes to the queue | Plan backwards from the deadline

Travel time of each gate is measured, so a wish is started as late as is safe: travel time twice, plus a minute. Part of #44.
--
aoife + The interface is what I wanted.
miho ~ Twice the travel time is generous in summer and not enough with ice.
sanna ! The planner must not start a movement whose end it will not see. If the deadline is beyond the heartbeat's horizon, ask again later.
tomasz: It now plans in steps and re-evaluates every minute.
wren +
priya + The form in the console follows this.
sanna +

@@ 50 issue zofia 2026-05-26 reopened
Queue test hangs on a machine with one core
labels: flaky-test
milestone: Flood season 2026

`TestDrainThenHandOver` waits for a goroutine that never gets a turn. Happens on the small runner about every tenth time.
--
wren: Should be gone with #51, the runner has two cores now.
[2026-06-10] zofia: It is not gone, it is rarer. Once in two hundred. I would rather fix the test than the runner.
[2026-06-10] wren: Reopened, you are right.

@@ 51 pr wren 2026-06-08 merged 2026-06-09 wren
Pin actions by commit
labels: security
files: .github/workflows/{ci.yaml,release.yaml}

Tags move, commits do not.
--

@@ 52 issue wren 2026-06-17 fixed
Deadlock between the watchdog and the command queue
labels: bug

Twice this week gatekeeperd at Cowbit stood still with all goroutines waiting. The dump shows the watchdog holding its lock while it asks the queue, and the queue doing the reverse.
It recovered only because the pod was restarted by its probe.
--
tomasz: Introduced with the wishes, the planner asks for the heartbeat while holding the queue.
sanna: Please no quick unlock-in-between. Let the watchdog publish a snapshot that anyone can read without a lock.
zofia: I can reproduce it with the test of #50, on the small runner. So that was not only a flaky test.

@@ 53 pr tomasz 2026-06-18 merged 2026-06-22 sanna
Publish heartbeats as a snapshot
labels: bug, regression
files: internal/watchdog/{heartbeat.go,heartbeat_test.go} internal/command/{queue.go,wish.go}

Readers never wait for the watchdog any more. Should end the standstill of #52.

Fixes #52.
--
wren + Race detector is happy.
zofia + The test of #50 has passed two thousand times since. I leave that issue open until it has passed a month.
sanna +

@@ release v2.5.0 2026-06-23 sanna
Wishes
- Ask for a gate to be closed by a time (#49), see `docs/commissioning.md`.
- Fewer telegrams on the bus (#45).
- The audit log is append-only (#48).
- A standstill between watchdog and queue is fixed (#53).

@@ 54 pr sanna 2026-07-07 merged 2026-07-08 tomasz
Revert "Read several registers in one telegram"
labels: regression
reverts: 45
files: internal/modbus/{client.go,frames.go,client_test.go} docs/modbus-map.md

Reverts merefold/gatekeeper#45. At Thornwick the old PLC mixes answers when a group crosses register 40100: position of gate 3 was reported for gate 4. Back to single reads until we can
describe groups per station.
--
wren + Rolled out to all, canary skipped on purpose.
tomasz + Ouch. Yes.

@@ release v2.5.1 2026-07-08 sanna
Single reads
Reverts the grouped register reads of v2.5.0 (#54). Thornwick must not run v2.5.0.

@@ 55 issue tomasz 2026-07-09 fixed
Group register reads per station
labels: enhancement

Follow-up of #54. The saving is worth it for Cowbit and Sedge Lock; Thornwick has to stay on single reads.

@@ 56 pr tomasz 2026-07-21 merged 2026-08-10 sanna
Group register reads where the station allows it
labels: enhancement
files: internal/modbus/{client.go,frames.go,client_test.go} docs/{modbus-map.md,commissioning.md}
commits: Read groups from the station file | Refuse a group that crosses a declared border

Second attempt at #45: groups are declared in the station file, none by default, and each declares the borders it must not cross. Closes #55.
--
sanna @ docs/commissioning.md: Add the procedure for finding the borders, otherwise the next engineer will guess.
eunice: I can write that paragraph, I did it for Cowbit.
sanna + with Eunice's paragraph.
zofia @ internal/modbus/client_test.go: The border test only covers 40100. Take it from the station file.
tomasz: Done.
zofia +
wren +

@@ 57 issue miho 2026-07-24 open
潮位 site name breaks the log file name
labels: bug, i18n

I called my bench station 潮位テスト and the trace download is named "______.bin". Two such stations overwrite each other. Not urgent, there is only me.
--
tomasz: I will use the station's id for the file and keep the name inside.

@@ 58 issue eunice 2026-08-12 open
Ice detection for the lifting gear
labels: enhancement, field-report
milestone: Winter readiness 2026

Motor current at the start of a movement says whether the gate is frozen in. In January we tore a seal at Crowland because nothing stopped the motor.
--
tomasz: Current is in the register map of the newer PLCs. For the old ones there is only the thermal trip, which is too late.
miho: I have air and water temperature of the last ten winters if a model helps.
sanna: I would start with the envelope and leave the weather for later.

@@ push eunice 2026-08-14
Finding the borders of a register group
files: docs/commissioning.md

@@ 59 pr sanna 2026-08-25 open
Stop a movement whose motor current is out of its envelope
labels: safety
milestone: Winter readiness 2026
files: internal/interlock/{rules.go,rules_test.go,eval.go} internal/modbus/client.go docs/interlocks.md

Learns the envelope from the last 50 movements of the same gate. For #58. Open question: what to do in the first weeks after a motor was replaced.
--
tomasz ! The envelope must not be learned from movements that were stopped, otherwise it adapts to the ice.
sanna: Right, excluded. Still thinking about the replaced motor.
eunice @ internal/interlock/rules.go: The commissioning form has the date of the motor. Ask for it.
zofia @ internal/interlock/rules_test.go: How do I simulate ice on the bench? Serious question.
eunice: A clamp and a wet rag. I will show you.

@@ 60 pr wren 2026-09-02 open
Build images for arm64
files: .github/workflows/{ci.yaml,release.yaml} deploy/Dockerfile

Half of the new edge boxes are arm64. Build time goes from 4 to 11 minutes, which I would like to discuss before merging.
--
tomasz ~ Only on tags, perhaps?
hamid +

@@ 61 pr tomasz 2026-09-16 open
Move interlock evaluation into its own goroutine
files: internal/interlock/eval.go internal/command/queue.go

--
sanna ! Please say in the description what problem this solves. I see a second place where an input can become stale between evaluation and use.
wren ~ I measured the evaluation: 40 microseconds. It does not need a goroutine.

@@ 62 issue eunice 2026-10-05 open
<b>Emergency stop</b> is greyed out on tablets in portrait mode
labels: bug

Moved here by mistake? The button is drawn by the console but the state comes from gatekeeper's `can_stop`, which is false whenever the heartbeat is late. A stop must always be possible.

![](http://pixel.tracker.example/seen.gif?doc=gatekeeper-55)
--
sanna: `can_stop` should not exist. I will remove it and the console can draw the button always.
priya: Agreed, and I take the layout part.
yusra: The picture in the description goes to a host that I do not know. I have blocked it at the proxy and told Eunice; it came with a copied mail signature.

@@ push wren 2026-10-09
Raise the memory limit of the canary
files: deploy/helm/values.yaml

@@ release v3.0.0-rc1 2026-10-08 sanna
prerelease: yes
First candidate for the winter
For the bench and for Crowland only.

- Register groups are declared for each station (#56).
- Everything that was marked as going away in 2.x is gone.
