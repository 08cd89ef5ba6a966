@@ 97 pr ondrej 2026-04-09 merged 2026-04-13 hyejin
Purge the tile cache on deploy
labels: maps
files: tiles/cache.ts deploy/values.yaml

Old tiles survived a change of style for days. The cache is emptied at every deploy and fills again from the renderer.
--
hyejin + How long does it take to fill?
ondrej: Minutes.

@@ 98 issue noor 2026-04-14 fixed
The map is blank on every console
labels: bug, maps

Since 08:15. The renderer answers one tile in three seconds, and there are forty on a screen.
--
ondrej: It filled in minutes on staging, with one person looking.

@@ 99 pr ondrej 2026-04-14 merged 2026-04-14 hyejin
Keep serving old tiles until new ones are there
labels: maps
files: tiles/cache.ts tiles/render.ts deploy/values.yaml

The purge of #97 goes; an old tile is better than none. Fixes #98.
--
hyejin +
noor + The map is back.

@@ 138 pr padraig 2026-08-12 merged 2026-08-13 leopold
Write down how the register is run
labels: maps
files: docs/assets.md assets/table.ts

Leopold has shown me everything in two weeks, this is what I wrote down. CODEOWNERS and the catalogue still name him, somebody has to decide who comes next.
--
leopold + It was a good time. Look after the old papers.
