// Draws what brain/ui/graph.py laid out. Text from the data reaches the page as textContent only.
const STEP_MS = 1100
const LABELLED = 16 // with more lines than this their words only get in the way

export default function ({ data, parentElement: root }) {
  const view = (root.hopcheck ??= create(root))
  view.show(data)
  return () => view.stop()
}

function create(root) {
  const $ = (selector) => root.querySelector(selector)
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches
  let data, network, nodes, edges, timer, hop = 0, drawn = "", narrow = false

  const stop = () => {
    clearInterval(timer)
    timer = undefined
    $(".play").setAttribute("aria-pressed", "false")
    $(".play").textContent = "▶ Play"
  }
  const go = (to) => {
    hop = Math.max(0, Math.min(to, data.hops.length - 1))
    $(".now").textContent = `${data.hops[hop]} (${hop + 1} of ${data.hops.length})`
    $(".prev").disabled = hop === 0
    $(".next").disabled = hop === data.hops.length - 1
    paint()
  }
  const play = () => {
    if (timer) return stop()
    if (hop === data.hops.length - 1) go(0)
    $(".play").setAttribute("aria-pressed", "true")
    $(".play").textContent = "❚❚ Pause"
    timer = setInterval(() => (hop < data.hops.length - 1 ? go(hop + 1) : stop()), STEP_MS)
  }

  const isNarrow = () => $(".canvas").clientWidth < 500
  const paint = () => {
    const c = colours(root.host ?? root)
    narrow = isNarrow()
    const few = data.edges.length <= LABELLED
    const shown = new Map(data.nodes.map((n) => [n.id, n.hop <= hop]))
    const node = (n) => ({
      id: n.id, label: n.label, title: n.title, shape: "box", ...(narrow ? { x: n.y * 2.8, y: n.x * 0.42 } : { x: n.x, y: n.y }), hidden: !shown.get(n.id),
      borderWidth: n.gold ? 4 : n.hop === hop && data.hops.length > 1 ? 3 : 1.5, borderWidthSelected: 4, margin: 8,
      shapeProperties: { borderRadius: 5 },
      color: { background: c.surface, border: n.gold ? c.gold : c.kinds[n.group % c.kinds.length],
        highlight: { background: c.surface, border: c.primary }, hover: { background: c.surface, border: c.primary } },
      font: { color: c.text, face: c.font, size: 15, align: "left" },
    })
    const edge = (e, i) => ({
      id: i, from: e.from, to: e.to, label: few || e.gold ? e.label : " ", title: e.title, hidden: !(shown.get(e.from) && shown.get(e.to)),
      width: e.gold ? 4 : 1.2, dashes: Boolean(e.dashes), arrows: { to: { enabled: true, scaleFactor: 0.6 } }, smooth: { type: "curvedCW", roundness: 0.12 },
      color: { color: e.gold ? c.gold : c.line, highlight: c.primary, hover: c.primary },
      font: { color: c.text, face: c.font, size: 12, strokeWidth: 4, strokeColor: c.background },
    })
    nodes.update(data.nodes.map(node))
    edges.update(data.edges.map(edge))
    const swatch = (name, colour) => {
      const item = el("li"), mark = el("i")
      mark.style.borderColor = colour
      item.append(mark, name)
      return item
    }
    const keys = data.kinds.map((kind, i) => swatch(kind, c.kinds[i % c.kinds.length]))
    if (data.nodes.some((n) => n.gold)) keys.push(swatch("✓ on a verified path", c.gold))
    $(".legend").replaceChildren(...keys)
  }

  const details = (item, kind, name) => {
    const list = el("dl")
    for (const [k, v] of item.facts ?? []) {
      const pair = el("div")
      pair.append(el("dt", k), el("dd", v))
      list.append(pair)
    }
    const parts = [el("p", kind, "kind"), el("p", name, "name"), list]
    if (item.href) {
      const link = el("a", "Open in Evidence")
      link.href = item.href
      parts.push(link)
    }
    $(".details").replaceChildren(...parts)
  }
  const name = (id) => data.nodes.find((n) => n.id === id)?.title ?? id
  const chooseNode = (n) => {
    if (n.hop > hop) go(n.hop)
    network.selectNodes([n.id])
    details(n, n.kind + (n.gold ? ", on a verified path" : ""), n.title.slice(n.title.indexOf(": ") + 2))
  }
  const chooseEdge = (e) => details(e, "Relation" + (e.gold ? ", on a verified path" : ""), `${name(e.from)} → ${e.label} → ${name(e.to)}`)

  const build = () => {
    const box = $(".canvas")
    box.style.height = `${data.height}px`
    nodes = new vis.DataSet([])
    edges = new vis.DataSet([])
    paint()
    network?.destroy()
    network = new vis.Network(box, { nodes, edges }, {
      physics: false, layout: { improvedLayout: false },
      interaction: { hover: true, selectConnectedEdges: false, dragNodes: true, zoomView: false, keyboard: false, tooltipDelay: 150 },
    })
    network.on("click", (event) => {
      if (event.nodes.length) chooseNode(data.nodes.find((n) => n.id === event.nodes[0]))
      else if (event.edges.length) chooseEdge(data.edges[event.edges[0]])
    })
    fit(0.5)
    const list = data.nodes.map((n) => {
      const item = el("li"), button = el("button", n.title + (n.gold ? " (verified path)" : ""))
      button.type = "button"
      button.onclick = () => chooseNode(n)
      item.append(button)
      return item
    })
    $(".list ol").replaceChildren(...list)
  }
  // What is too much to be read whole is shown with the verified path in the middle, or else with its start.
  const fit = (smallest = 0) => {
    network.fit({ animation: false, maxZoomLevel: 1.1 })
    if (network.getScale() >= smallest) return
    const gold = data.nodes.filter((n) => n.gold)
    const places = Object.values(network.getPositions((gold.length ? gold : data.nodes.filter((n) => n.hop === 0)).map((n) => n.id)))
    const middle = (axis) => (Math.min(...places.map((p) => p[axis])) + Math.max(...places.map((p) => p[axis]))) / 2
    network.moveTo({ scale: smallest, position: { x: middle("x"), y: middle("y") }, animation: false })
  }
  const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor, animation: false })

  new ResizeObserver(() => {
    if (!network || isNarrow() === narrow) return
    paint()
    fit(0.5)
  }).observe($(".canvas"))
  $(".prev").onclick = () => { stop(); go(hop - 1) }
  $(".next").onclick = () => { stop(); go(hop + 1) }
  $(".play").onclick = play
  $(".fit").onclick = () => fit()
  $(".in").onclick = () => zoom(1.25)
  $(".out").onclick = () => zoom(0.8)
  if (calm) {
    $(".play").disabled = true
    $(".play").textContent = "Play is off (reduced motion)"
  }

  return {
    stop,
    async show(next) {
      data = next
      const verified = data.nodes.filter((n) => n.gold).map((n) => n.title).join(", ")
      $(".canvas").setAttribute("aria-label", `Evidence graph: ${data.nodes.length} nodes, ${data.edges.length} relations.` + (verified ? ` Verified path: ${verified}.` : ""))
      if (!(await loaded())) {
        $(".now").textContent = "The drawing library did not load; the tables below hold the same."
        return
      }
      const what = JSON.stringify([data.nodes, data.edges])
      if (what !== drawn) {
        drawn = what
        hop = data.hop
        build()
      }
      if (!timer) go(hop)
    },
  }
}

async function loaded() {
  for (let i = 0; i < 200 && !globalThis.vis?.Network; i++) await new Promise((done) => setTimeout(done, 50))
  return Boolean(globalThis.vis?.Network)
}

function el(tag, words, cls) {
  const made = document.createElement(tag)
  if (words !== undefined) made.textContent = words
  if (cls) made.className = cls
  return made
}

function colours(host) {
  const css = getComputedStyle(host)
  const get = (name) => css.getPropertyValue(name).trim()
  const background = get("--st-background-color") || "#ffffff"
  const dark = brightness(background) < 0.5
  return {
    background, text: get("--st-text-color") || "#111111", surface: get("--st-secondary-background-color") || "#f4f5f7",
    primary: get("--st-primary-color") || "#1f4e9c", font: get("--st-font") || "sans-serif",
    line: dark ? "#7d8797" : "#8a93a1", gold: dark ? "#e7b93e" : "#b07c00",
    kinds: (get("--st-chart-categorical-colors") || "#1f4e9c").split(/,(?![^(]*\))/).map((c) => c.trim()),
  }
}

function brightness(colour) {
  const context = document.createElement("canvas").getContext("2d")
  context.fillStyle = colour
  const [r, g, b] = context.fillStyle.match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16))
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255
}
