@@ 151 pr ruben 2026-09-16 merged 2026-09-22 tamsin
Word the invoice footer in Welsh
labels: i18n, billing
files: templates/footer.html

The footer was the last English sentence on the Welsh invoice. Checked by Gwenllian.
--
gwen + Nearly poetry.
tamsin +

@@ 153 issue tamsin 2026-09-23 fixed
Portal sessions end every fifteen minutes
labels: bug

Last night from 21:17 on, for every board. It stopped by itself before midnight, and nothing of ours was changed back.
--
ruben: It was not the footer. I looked at it for an hour.

@@ 154 pr tamsin 2026-09-24 merged 2026-09-28 ruben
Say that a session has ended instead of showing an empty page
labels: enhancement
files: portal/front.py portal/gates.py docs/portal.md

Whatever ends a session, people now see a sentence and a button. Closes #153.
--
ruben +
