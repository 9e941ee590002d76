"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const graph = byId("graph"), view = byId("view");
  const HALF_W = 82, HALF_H = 17, SVG = "http://www.w3.org/2000/svg";

  function make(tag, attributes, parent, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function html(tag, parent, text, className) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    parent.appendChild(element);
    return element;
  }

  // -- The graph.

  const short = (text) => (text.length > 22 ? text.slice(0, 21) + "\u2026" : text);
  const nodes = data.operators.map((op, at) => {
    if (op.x === undefined) return null;
    const group = make("g", { class: "node", transform: `translate(${op.x} ${op.y})`,
      "data-at": at }, byId("nodes"));
    make("rect", { x: -HALF_W, y: -HALF_H, width: 2 * HALF_W, height: 2 * HALF_H, fill: op.color },
      group);
    make("text", { y: 5, fill: op.ink }, group, short(op.label));
    make("title", {}, group, `${op.label}\n${op.reason || placeOf(op)}`);
    return group;
  });

  const lines = data.edges.map((edge) => {
    const a = data.operators[edge.from], b = data.operators[edge.to];
    const points = [[a.x, a.y + HALF_H], ...edge.bends, [b.x, b.y - HALF_H]];
    let path = `M${points[0][0]} ${points[0][1]}`;
    for (let at = 1; at < points.length; at++) {
      const [x0, y0] = points[at - 1], [x1, y1] = points[at], middle = (y0 + y1) / 2;
      path += `C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`;
    }
    const crossing = a.subgraph !== b.subgraph ? " crossing" : "";
    const line = make("path", { class: "edge" + crossing, d: path, "marker-end": "url(#arrow)" },
      byId("edges"));
    make("title", {}, line, edge.name);
    return line;
  });

  if (data.frames.length > 1) {
    for (const frame of data.frames) {
      make("rect", { class: "frame", x: frame.x - HALF_W - 20, y: -HALF_H - 34,
        width: frame.w + 2 * HALF_W + 40, height: frame.h + 2 * HALF_H + 54 }, byId("frames"));
      make("text", { class: "title", x: frame.x - HALF_W - 12, y: -HALF_H - 14 }, byId("frames"),
        `block ${frame.block}`);
    }
  }

  // -- Moving and zooming.

  let scale = 1, left = 0, top = 0;
  function apply() {
    view.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
    graph.classList.toggle("far", scale < 0.25);  // what nobody can read takes most of the time
    const box = graph.getBoundingClientRect();
    for (const [key, value] of Object.entries({ x: -left / scale, y: -top / scale,
      width: box.width / scale, height: box.height / scale })) pane.setAttribute(key, value);
  }

  // -- The whole graph in a strip, stretched to its size.

  const map = byId("map");
  const placed = data.operators.filter((op) => op.x !== undefined);
  const span = (key, half) => {
    const all = placed.map((op) => op[key]);
    const low = all.reduce((a, b) => Math.min(a, b), 0) - half;
    return [low, all.reduce((a, b) => Math.max(a, b), 0) + half - low];
  };
  const [mapX, mapW] = span("x", HALF_W + 10), [mapY, mapH] = span("y", HALF_H + 10);
  map.setAttribute("viewBox", `${mapX} ${mapY} ${mapW} ${mapH}`);
  for (const op of placed) {
    const mark = make("rect", { x: op.x - HALF_W, y: op.y - 30, width: 2 * HALF_W, height: 60,
      fill: op.color }, map);
    make("title", {}, mark, op.label);
  }
  const pane = make("rect", { class: "window" }, map);
  function jump(event) {
    if (event.type === "pointermove" && !event.buttons) return;
    const area = map.getBoundingClientRect(), box = graph.getBoundingClientRect();
    const x = mapX + ((event.clientX - area.left) / area.width) * mapW;
    const y = mapY + ((event.clientY - area.top) / area.height) * mapH;
    left = box.width / 2 - scale * x;
    top = box.height / 2 - scale * y;
    apply();
  }
  map.addEventListener("pointerdown", jump);
  map.addEventListener("pointermove", jump);

  function zoom(factor, x, y) {
    const next = Math.min(4, Math.max(0.01, scale * factor));
    left = x - (x - left) * (next / scale);
    top = y - (y - top) * (next / scale);
    scale = next;
    apply();
  }

  function show(positions, most) {
    const shown = positions.map((at) => data.operators[at]).filter((op) => op.x !== undefined);
    if (!shown.length) return;
    const xs = shown.map((op) => op.x), ys = shown.map((op) => op.y);
    const low = (list) => list.reduce((a, b) => Math.min(a, b));
    const high = (list) => list.reduce((a, b) => Math.max(a, b));
    const x0 = low(xs) - HALF_W - 20, x1 = high(xs) + HALF_W + 20;
    const y0 = low(ys) - HALF_H - 50, y1 = high(ys) + HALF_H + 20;
    const box = graph.getBoundingClientRect();
    scale = Math.max(0.01, Math.min(most, box.width / (x1 - x0), box.height / (y1 - y0)));
    left = box.width / 2 - (scale * (x0 + x1)) / 2;
    top = box.height / 2 - (scale * (y0 + y1)) / 2;
    apply();
  }

  const all = data.operators.map((_, at) => at);
  byId("fit").addEventListener("click", () => show(all, 1));

  graph.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = graph.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });

  let grip = null;
  graph.addEventListener("pointerdown", (event) => {
    grip = { x: event.clientX, y: event.clientY, left, top, moved: false,
      node: event.target.closest(".node") };
    graph.setPointerCapture(event.pointerId);
  });
  graph.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
    grip.moved = grip.moved || Math.abs(dx) + Math.abs(dy) > 4;
    if (!grip.moved) return;
    graph.classList.add("moving");
    left = grip.left + dx;
    top = grip.top + dy;
    apply();
  });
  function release(event) {
    if (grip && !grip.moved && event.type === "pointerup") {
      if (grip.node) choose(Number(grip.node.dataset.at), false);
      else unchoose();
    }
    grip = null;
    graph.classList.remove("moving");
  }
  graph.addEventListener("pointerup", release);
  graph.addEventListener("pointercancel", release);
  graph.addEventListener("keydown", (event) => {
    const box = graph.getBoundingClientRect();
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60],
      ArrowDown: [0, -60] }[event.key];
    if (step) { left += step[0]; top += step[1]; apply(); }
    else if (event.key === "+") zoom(1.25, box.width / 2, box.height / 2);
    else if (event.key === "-") zoom(0.8, box.width / 2, box.height / 2);
    else return;
    event.preventDefault();
  });

  // -- What is behind an operator.

  function placeOf(op) {
    if (op.subgraph !== null) {
      return `subgraph ${op.subgraph}${op.device ? ` on ${op.device}` : ""}`;
    }
    return op.place === "folded" ? "folded" : "CPU";
  }

  function row(table, name, value) {
    const line = html("tr", table);
    html("th", line, name);
    html("td", line, value);
  }

  function clear(section) {
    section.replaceChildren();
    return section;
  }

  const typed = (name) => (data.tensors[name] ? `${name} ${data.tensors[name]}` : name);

  function slots(section, name, listed) {
    const entries = Object.entries(listed);
    if (!entries.length) return;
    html("h2", section, name);
    const table = html("table", section);
    for (const [slot, names] of entries) {
      row(table, slot, Array.isArray(names) ? names.map(typed).join(", ") : names);
    }
  }

  // -- How a weight's numbers are spread.

  const shortNumber = (value) => Number(value.toPrecision(4)).toString();

  function histogram(section, name, weight) {
    const box = html("div", section, undefined, "weight");
    html("div", box, name, "name");
    if (weight.counts.length) {
      const most = Math.max(...weight.counts), wide = 100 / weight.counts.length;
      const picture = make("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none",
        role: "img", "aria-label": `histogram of ${name}` }, box);
      weight.counts.forEach((count, at) => {
        const high = count ? Math.max(0.8, (38 * count) / most) : 0;
        const from = weight.least + ((weight.most - weight.least) * at) / weight.counts.length;
        const bar = make("rect", { x: at * wide, y: 40 - high, width: 0.9 * wide, height: high },
          picture);
        make("title", {}, bar, `${count.toLocaleString("en")} from ${shortNumber(from)}`);
      });
      const ends = html("div", box, undefined, "ends");
      html("span", ends, shortNumber(weight.least));
      html("span", ends, shortNumber(weight.most));
    }
    html("div", box, weight.text, "facts");
  }

  function histograms(section, op) {
    const names = [...new Set(Object.values(op.inputs).flat())].filter((n) => data.weights[n]);
    if (names.length) html("h2", section, "weights");
    for (const name of names) histogram(section, name, data.weights[name]);
  }

  let chosen = null;
  function unchoose() {
    if (chosen !== null && nodes[chosen]) nodes[chosen].classList.remove("chosen");
    lines.forEach((line) => line.classList.remove("near"));
    chosen = null;
  }

  function choose(at, jump) {
    unchoose();
    chosen = at;
    const op = data.operators[at];
    if (nodes[at]) nodes[at].classList.add("chosen");
    data.edges.forEach((edge, i) => {
      if (edge.from === at || edge.to === at) lines[i].classList.add("near");
    });
    const section = clear(byId("details"));
    html("h2", section, op.label);
    const table = html("table", section);
    row(table, "place", placeOf(op));
    if (op.block) row(table, "block", String(op.block));
    if (op.compute) row(table, "multiply-adds", op.compute.toLocaleString("en"));
    for (const [key, value] of Object.entries(op.notes)) row(table, key, value);
    if (op.reason) html("p", section, op.reason, "reason");
    slots(section, "inputs", op.inputs);
    slots(section, "outputs", op.outputs);
    slots(section, "attributes", op.attributes);
    histograms(section, op);
    if (jump) show([at], 1);
  }

  // -- Subgraphs and reasons.

  const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  function size(bytes) {
    const units = ["B", "KB", "MB", "GB"];
    let unit = 0;
    while (bytes >= 1024 && unit < 3) { bytes /= 1024; unit++; }
    return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
  }

  function entry(section, color, text, positions, then) {
    const button = html("button", section, undefined, "entry");
    html("span", button, undefined, "swatch").style.background = color;
    html("span", button, text);
    button.addEventListener("click", () => {
      mark(positions);
      show(positions, 1);
      if (then) then();
    });
  }

  function details(info) {
    unchoose();
    const section = clear(byId("details"));
    html("h2", section, `subgraph ${info.id}`);
    const table = html("table", section);
    const tensor = (item) => `${item.name} ${item.dtype}[${item.shape
      .map((dim) => (dim < 0 ? "?" : dim)).join("x")}]`;
    row(table, "operators", String(info.operators.length));
    row(table, "inputs", `${info.inputs.map(tensor).join(", ")} (${size(info.bytes_in)})`);
    row(table, "outputs", `${info.outputs.map(tensor).join(", ")} (${size(info.bytes_out)})`);
    row(table, "weights", size(info.weights));
    row(table, "multiply-adds", info.compute.toLocaleString("en"));
    if (info.devices.length) row(table, "devices", info.devices.join(", "));
    if (info.compile_ms !== null) {
      row(table, "compile time", `${info.compile_ms.toFixed(2)} ms${info.cache_hit ? ", from the cache" : ""}`);
    }
    if (info.runs) {
      row(table, "run time", `${((info.run_ms || 0) / info.runs).toFixed(3)} ms, ${counted(info.runs, "run")}`);
    }
    const reasons = info.outcome_texts.length ? info.outcome_texts : [info.fallback];
    for (const text of reasons) if (text) html("p", section, text, "reason");
  }

  byId("title").textContent = data.title;
  for (const [number, text] of data.legend.length ? [] : data.figures) {
    const tile = html("div", byId("figures"));
    html("b", tile, number);
    html("span", tile, text);
  }
  byId("summary").textContent = data.summary;
  for (const text of data.judged) html("p", byId("warnings"), text);
  for (const text of data.warnings) html("p", byId("warnings"), text, "warning");
  if (data.legend.length) html("h2", byId("colours"), "Colours");
  for (const [text, color] of data.legend) {
    const own = data.operators.flatMap((op, at) => (op.color === color ? [at] : []));
    entry(byId("colours"), color, `${text}: ${own.length}`, own);
  }
  const divided = data.subgraphs.length > 0 || data.legend.length === 0;
  if (divided) html("h2", byId("legend"), "Subgraphs");
  const where = (test) => all.filter((at) => test(data.operators[at]));
  const plain = (op) => op.type !== "feed" && op.type !== "fetch";
  const cpu = where((op) => op.place === "cpu" && plain(op));
  if (divided) entry(byId("legend"), data.cpu, `CPU: ${counted(cpu.length, "operator")}`, cpu);
  for (const info of data.subgraphs) {
    const text = `subgraph ${info.id}: ${counted(info.operators.length, "operator")}, ` +
      `in ${size(info.bytes_in)}, out ${size(info.bytes_out)}`;
    entry(byId("legend"), info.color, text, info.operators, () => details(info));
  }
  const reasons = new Map();
  for (const at of where((op) => op.reason && plain(op))) {
    const reason = data.operators[at].reason;
    reasons.set(reason, [...(reasons.get(reason) || []), at]);
  }
  if (reasons.size) html("h2", byId("reasons"), "Not on the device because");
  const sorted = [...reasons].sort((a, b) => b[1].length - a[1].length);
  for (const [reason, positions] of sorted) {
    const color = data.operators[positions[0]].color;
    entry(byId("reasons"), color, `${positions.length}: ${reason}`, positions, () => {
      if (positions.length === 1) choose(positions[0], false);
    });
  }

  // -- Search.

  let hits = [], current = -1;
  function mark(positions) {
    const some = new Set(positions);
    nodes.forEach((node, at) => {
      if (!node) return;
      node.classList.toggle("hit", some.has(at));
      node.classList.toggle("dim", some.size > 0 && !some.has(at));
    });
  }

  const texts = data.operators.map((op) => [op.label, placeOf(op), op.reason,
    ...Object.values(op.inputs).flat(), ...Object.values(op.outputs).flat()]
    .join("\n").toLowerCase());
  function search() {
    const word = byId("search").value.trim().toLowerCase();
    hits = word ? all.filter((at) => nodes[at] && texts[at].includes(word)) : [];
    current = -1;
    mark(hits);
    byId("hits").textContent = word ? `${hits.length} found` : "";
    if (hits.length) show(hits, 1);
  }
  function step(by) {
    if (!hits.length) return;
    current = (current + by + hits.length) % hits.length;
    byId("hits").textContent = `${current + 1} of ${hits.length}`;
    choose(hits[current], true);
  }
  byId("search").addEventListener("input", search);
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
  });
  byId("next").addEventListener("click", () => step(1));
  byId("previous").addEventListener("click", () => step(-1));

  show(all, 1);
  const first = data.operators.find((op) => op.x !== undefined);
  if (scale < 0.3 && first) {  // a whole deep network cannot be read: begin at its top
    scale = 0.6;
    left = graph.getBoundingClientRect().width / 2 - scale * first.x;
    top = 60;
    apply();
  }
})();
