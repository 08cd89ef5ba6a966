@@ tree hamid 2025-04-07
Schemas for gates and gauges, as used by the pilot
files: proto/fen/v1/{gate.proto,gauge.proto} go/fenpb/{gate.pb.go,gauge.pb.go} rust/src/{lib.rs,gate.rs,gauge.rs} python/fenproto/{__init__.py,gate.py,gauge.py} ts/src/{gate.ts,gauge.ts} docs/changing-a-schema.md buf.yaml .github/workflows/ci.yaml CHANGELOG.md README.md

@@ 1 pr hamid 2025-04-15 merged 2025-04-17 hamid
Refuse a schema change that renumbers a field
labels: enhancement
files: buf.yaml .github/workflows/ci.yaml docs/changing-a-schema.md

Adds `buf breaking` against the last tag. Renumbering a field went unnoticed in the pilot because both
ends were regenerated on the same afternoon; a gate on site was not. The doc now says the one rule that
matters: a number, once used, is never used for anything else.
--
ilse + Finally.
sanna @ docs/changing-a-schema.md: Say "reserved" explicitly, people look for the keyword.
hamid: Done, with an example.
bjarki +
sanna +

@@ 2 issue bjarki 2025-04-24 fixed
Generated Rust enums do not round-trip an unknown value
labels: bug

If a newer gatekeeper sends a `GateState` we do not know, prost gives us the integer but our wrapper panics in
`From<i32>`. A gauge box running last year's firmware must survive that.
--
hamid: Agreed, the wrapper is ours and it is wrong. Unknown should become `Unspecified` and be logged once.
ilse: Please keep the raw number somewhere. When I debug a box by phone, "unspecified" is no help at all.
tomasz: The Go side keeps unknown values by itself, so only Rust suffers.

@@ 3 issue sanna 2025-05-06 fixed
Gate position has no unit
labels: bug, safety
milestone: 2.0 protocol

`GateStatus.position` is a double. Gatekeeper fills in millimetres of opening, control-room reads per cent, and for
the old Thornwick gate both happen to be plausible. I would rather have the unit in the field name than in a comment.
--
priya: For what it is worth the console assumed per cent because the pilot sent per cent. Happy to change.
hamid: Then `opening_mm`, and the old field is reserved. No conversion in the client libraries.
eunice: On site everybody says "lifts" as in "half a lift". Please never put that in a protocol.

@@ 4 pr ilse 2025-05-08 merged 2025-05-12 hamid
Keep the raw number when an enum value is unknown
labels: bug
files: rust/src/{lib.rs,gate.rs,gauge.rs}

The wrapper no longer panics. `Known<T>` holds either the variant or the integer that came over the wire, and
`Display` prints `unknown(7)`.

Fixes #2.
--
bjarki + 
hamid ! The type leaks into every public signature of the crate. Can it be an associated method instead, so that callers who do not care keep matching on the plain enum?
ilse: Fair. There is now `.raw()` and the enum has an `Unrecognised` arm.
sanna +
hamid + Much better.

@@ 5 pr hamid 2025-05-13 merged 2025-05-20 hamid
Say millimetres in the name of the gate position
labels: breaking
milestone: 2.0 protocol
files: proto/fen/v1/gate.proto go/fenpb/gate.pb.go rust/src/gate.rs python/fenproto/gate.py ts/src/gate.ts docs/changing-a-schema.md A:docs/units.md

`position` is reserved, `opening_mm` takes its place as a `uint32`. There is a new page that lists the unit of every
numeric field, and CI fails when a numeric field has no line there.

Closes #3.
--
priya ! ts/src/gate.ts still exports `position` as an alias of opening_mm. That is the very bug we are fixing.
hamid: Removed. I wanted a soft landing and got a trap.
sanna + uint32 also rules out the negative openings we saw with the bent encoder. Good.
tomasz @ go/fenpb/gate.pb.go: Generated with an older plugin than CI uses, the header differs.
hamid: Regenerated.
tomasz +
luc +
priya +

@@ 6 pr dep 2025-06-02 merged 2025-06-02 hamid
Bump prost from 0.12.4 to 0.12.6
labels: dependencies
files: rust/src/lib.rs

Bumps prost from 0.12.4 to 0.12.6. Changelog and commits are on the upstream page.
--

@@ release v1.0.0 2025-06-05 hamid
Millimetres
The first version that we promise to keep.

- Gate opening is in millimetres and says so (#5). This breaks every reader of `position`.
- Unknown enum values survive in the Rust crate (#4).
- CI refuses renumbered fields (#1).

@@ 7 issue tomasz 2025-07-10 fixed
`expires_at` is ambiguous between wall clock and uptime
labels: bug, safety

The schema says "instant after which the command must not be executed" and nothing about whose clock. The PLC at Sedge Lock
has no battery, so after a power cut it counts from zero and believes every command in the queue is still fresh.
--
hamid: I think the schema is right to say an instant and the receiver is wrong to compare it with uptime. Can the gate side refuse while its clock is not set?
tomasz: That works for me. Gatekeeper can refuse on the PLC's behalf, it knows the last sync.
sanna: Whatever we choose, a command that cannot be judged has to count as expired.
miho: A tide has no clock either, and it is always right. Sorry.

@@ 8 issue yusra 2025-07-22 fixed
Operator identity is a free-text string
labels: security

`Command.operator` is whatever the client writes. For the audit we need the subject of the token, and we need to be able to tell
a person from a schedule.
--
priya: The console sends the display name today. That is my fault, it was meant for a toast.
yusra: Display names are also the reason two entries in the audit log look like the same person.

@@ 9 pr yusra 2025-08-04 merged 2025-08-12 hamid
Give commands an actor: person, schedule or rule
labels: security, breaking
milestone: 2.0 protocol
files: proto/fen/v1/gate.proto go/fenpb/gate.pb.go rust/src/gate.rs python/fenproto/gate.py ts/src/gate.ts

`operator` becomes a `oneof actor { Person person; Schedule schedule; Rule rule; }`. A person carries the token's subject and
nothing else; names are looked up where they are shown.

Closes #8.
--
tomasz ~ What is a rule here? Ours (interlock) or floodline's (threshold)?
yusra: Floodline's. An interlock never starts a movement, it only stops one, so it is never an actor.
tomasz +
hamid @ proto/fen/v1/gate.proto: Leave 4 to 7 free in the oneof. I expect "contractor" before Christmas.
priya +
gwen ~ crewboard never sends commands, so nothing to change for us. Just saying that I looked.
hamid +

@@ 10 issue wren 2025-08-26 closed 2025-09-04 hamid
Document who has to be told before a breaking change

I learned of the new actor field from a failing deployment.
--
hamid: Sorry. There will be a list of consumers in docs/changing-a-schema.md, with a person for each.
[2025-09-04] hamid: It is there since today.

@@ 11 pr hamid 2025-09-02 merged 2025-09-04 hamid
Publish the TypeScript client as an ES module only
files: ts/src/{gate.ts,gauge.ts} README.md

Nobody requires it from CommonJS any more: control-room was the last one and moved in July. Halves the package.
--
luc +
priya + Confirmed, and the map bundle is 11 kB smaller.

@@ push hamid 2025-09-03
List who reads what
files: docs/changing-a-schema.md

@@ release v1.1.0 2025-09-09 hamid
Actors
- Commands name an actor instead of an operator string (#9). Old clients are refused by gatekeeper 2.4 and later.
- The TypeScript package is ESM only (#11).

@@ 12 issue aoife 2025-11-18 fixed
No way to say why a reading is bad
labels: enhancement, telemetry

`GaugeReading.valid` is a bool. Forecasting treats a frozen float and a maintenance window alike, and they are very different:
the first one should be ignored, the second should be filled from the neighbour.
--
ilse: We already compute the reason in the quality stage and then throw it away at the border, it is a bit sad.
miho: For tides I would also need "suspect but usable". During a surge everything looks suspect.
hamid: Flags, not an enum, then. More than one can be true.

@@ 13 pr ilse 2025-12-02 merged 2025-12-11 hamid
Replace the valid bit by quality flags
labels: telemetry, breaking
files: proto/fen/v1/gauge.proto go/fenpb/gauge.pb.go rust/src/gauge.rs python/fenproto/gauge.py ts/src/gauge.ts docs/units.md
co: aoife

Eight flags: FROZEN, SPIKE, OUT_OF_RANGE, CLOCK_SKEW, MAINTENANCE, INTERPOLATED, SUSPECT, LATE. `valid` stays for one release and is
true when no flag but LATE or INTERPOLATED is set.

Closes #12.
--
aoife + Exactly what I need.
miho @ proto/fen/v1/gauge.proto: Is LATE relative to the logger's schedule or to the tide? A twenty minute old reading is fine inland and useless at the outfall.
ilse: Relative to the logger's own schedule. Floodline can judge the age itself, the instant is in the reading.
miho +
hamid ! `valid` is computed in three languages with three different lists. Generate it from one table.
ilse: Moved into a table in the proto as a custom option and generated.
bjarki +
daudi ~ For thresholds I only look at three of the eight. Fine with me.
hamid + Lovely.

@@ 14 pr bjarki 2025-12-15 closed 2025-12-19
Use CBOR for the gauge uplink
files: rust/src/gauge.rs A:rust/src/cbor.rs

Saves 18 bytes a reading over protobuf on the LoRa link, measured on a week of Holme data.
--
hamid: Eighteen bytes are tempting, but it means a second schema that nothing checks. Could the reading be delta-coded inside the protobuf instead?
ilse ! I would have to support both encodings for the whole life of a logger, so about twelve years.
bjarki: Convinced. Closing, delta coding is the better idea and I will try it in the stream first.

@@ push hamid 2025-12-18
Units of the quality flags: none
files: docs/units.md

@@ 15 issue luc 2026-01-08 fixed
Alarms need an identity that survives a restart
labels: enhancement

When floodline restarts, every open alarm gets a new id and the console shows it twice, once acknowledged and once not.
--
daudi: The id is a uuid4 made at start. I can derive it from threshold and onset instead, if the schema has a place for it.
hamid: There is no alert.proto at all yet, you two pass JSON. Shall I write one?
luc: Please!

@@ 16 pr hamid 2026-01-14 merged 2026-01-22 hamid
Add a schema for alerts
labels: enhancement
files: A:proto/fen/v1/alert.proto A:go/fenpb/alert.pb.go A:rust/src/alert.rs A:python/fenproto/alert.py A:ts/src/alert.ts docs/units.md

An alert is (threshold, onset): the pair is its identity, everything else can change. Acknowledgement is an event with an
actor, not a boolean.

Fixes #15. Needed by merefold/control-room#26 and by the notifier.
--
daudi @ proto/fen/v1/alert.proto: onset in milliseconds please. Two thresholds on one gauge can trip in the same second and have.
hamid: They would still differ in the threshold. But yes, milliseconds everywhere.
daudi +
luc + Works with the timeline branch.
aoife ~ Is a forecast alert also (threshold, onset)? The onset moves with every run.
hamid: Good catch. Forecast alerts carry the run in which they first appeared as their onset.
gwen ~ Should the acknowledgement carry the channel? Voice and text are treated differently by us.
hamid: It does now, as a string, until we know the list.
gwen +

@@ release v1.2.0 2026-02-03 hamid
Quality flags and alerts
- Readings carry quality flags (#13). `valid` will go in v2.0.0.
- New: alerts, with an identity that survives restarts (#16).

@@ push hamid 2026-02-03
Mention buf version in the README
files: README.md

@@ 17 issue zofia 2026-02-10 closed 2026-03-16 zofia
Golden bytes for every message
labels: testing

Four encoders, and nothing that compares them. I would like one file which all of them must reproduce.
--
hamid: Yes please. I will review anything you bring.
[2026-03-16] zofia: Brought in #20.

@@ 18 pr dep 2026-02-16 merged 2026-02-17 hamid
Bump google.golang.org/protobuf to 1.36.5
labels: dependencies
files: go/fenpb/{gate.pb.go,gauge.pb.go,alert.pb.go}

Regenerates three files. No change in the schema.
--
wren +

@@ 19 issue ilse 2026-03-03 open
Drop `valid`
labels: breaking
milestone: 2.0 protocol

Two releases have passed. Remaining readers according to a search of the organisation: the CSV export in crewboard, and a notebook of
Eunice's.
--
eunice: The notebook can break, I am the only one who runs it.
gwen: @hamid, crewboard can move after the duty year ends, so not before May.
hamid: Then it goes with v2.0.0 whenever that is. No hurry.

@@ 20 pr zofia 2026-03-12 merged 2026-03-16 zofia
Check that every language encodes the same bytes
labels: testing
files: .github/workflows/ci.yaml A:testdata/golden.json A:rust/tests/golden.rs A:python/tests/test_golden.py A:ts/test/golden.test.ts

One golden file, four languages. It found one difference straight away: Python writes default values of `optional` fields and the
others do not. Kept as a known difference with a comment.
--
hamid: I am away until Thursday, go ahead if CI is green, it only adds tests.
bjarki + Late, but yes. Good test.

@@ 21 issue bjarki 2026-04-14 fixed
Datum of a level is not part of the reading
labels: bug, telemetry

Hydra loggers report metres above their own zero, the older ones above ordnance datum. The stream adds the offset from a table, but
a consumer who reads a raw reading cannot know whether that has happened.
--
ilse: This is the root of merefold/gauge-stream#30, I am fairly sure.
aoife: Yes please, I have been bitten by it twice this winter.
eunice: On the staff gauge it is painted. "0 = 2.47 AOD". In paint!

@@ 22 pr bjarki 2026-04-16 merged 2026-04-24 hamid
Carry the datum with every level
labels: telemetry
files: proto/fen/v1/gauge.proto go/fenpb/gauge.pb.go rust/src/gauge.rs python/fenproto/gauge.py ts/src/gauge.ts docs/units.md testdata/golden.json

`datum` says LOCAL_ZERO or ORDNANCE. Unset means "unknown" and a consumer must refuse to compare it with a threshold.

Closes #21 and fixes merefold/gauge-stream#30.
--
ilse + 
aoife + I would make it required if proto3 let us.
hamid @ docs/units.md: Also say what happens to readings that are already stored. They stay unknown, right?
bjarki: They stay unknown until the backfill rewrites them. Added.
zofia + Golden file is up to date.
daudi +
hamid +

@@ release v1.3.0 2026-04-28 hamid
Datum
- Levels say which zero they are measured from (#22).
- All languages are tested against one golden file (#20).

@@ 23 issue gwen 2026-05-19 not_planned 2026-06-02
A schema for shifts?
labels: question

crewboard and control-room exchange duty crews as JSON with eleven fields. Is that worth a proto?
--
hamid: Who else reads it?
gwen: Nobody, and I do not expect anybody to.
hamid: Then I would leave it. A schema costs something every time it changes.

@@ 24 pr priya 2026-06-08 merged 2026-06-11 hamid
Emit string unions instead of numeric enums in TypeScript
labels: enhancement
files: ts/src/{gate.ts,gauge.ts,alert.ts} ts/test/golden.test.ts

`GateState.OPENING === 3` told nobody anything in a debugger. Wire format unchanged.
--
luc +
zofia +
hamid + I will need to touch the template again for v2, fine.

@@ 25 issue aoife 2026-06-23 open
A wish needs a confidence
labels: question

Gatekeeper only knows the earlier end of the band. If I could send both ends and a probability, it might choose not to close for a small chance of a small surge.
--
sanna: I would not want a gate to reason about chances.
aoife: Then the board should, through a setting. I will think about it.

@@ 26 pr hamid 2026-07-06 open
Remove everything that v2 reserves
labels: breaking
milestone: 2.0 protocol
files: proto/fen/v1/{gate.proto,gauge.proto} go/fenpb/{gate.pb.go,gauge.pb.go} rust/src/{gate.rs,gauge.rs} python/fenproto/{gate.py,gauge.py} ts/src/{gate.ts,gauge.ts} CHANGELOG.md

`valid`, the old operator string and the two unused gate states go. Not to be merged before crewboard's export has moved, see #19.
--
yusra + Happy to see the operator string go at last.
ilse ~ The stream still writes `valid` in one place, the replay tool. I will open a pull request there.
gwen: Our export moved last week.
tomasz ! Gatekeeper 2.x in the field still sends GATE_STATE_LEGACY_LOCKED from two sites. Not before those are on 3.0.
wren ~ Two sites on the old gatekeeper: Deeping and the Cowbit sluice. I have them on the list for November.

@@ push hamid 2026-07-07
Announce v2 to the consumers
files: docs/changing-a-schema.md

@@ 27 issue hamid 2026-08-20 open
What would it take to sign commands end to end?
labels: security, question

Today the console's token ends at gatekeeper. The gate trusts gatekeeper. A signature by the operator's key that the PLC gateway checks would
remove one thing to trust, at the price of keys on tablets.
--
yusra: I would love it and I am afraid of the tablets. They are shared, on a hook in the pumping station.
sanna: What problem does the board have with trusting gatekeeper? Honest question.
hamid: None so far. The insurer asked.
wren: What would the technician with the laptop do when there is no network to check a key?
hamid: That is the question on which I am stuck, yes.

@@ 28 pr dep 2026-09-21 open
Bump buf action from 1.9 to 1.12
labels: dependencies
files: .github/workflows/ci.yaml

Bumps the action that lints the schemas from 1.9 to 1.12.
--
