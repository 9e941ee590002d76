// Connected components and rotated rectangles; a box is four corners [x, y], clockwise from the top
// left. Pixel (i, j) covers the square from (j, i) to (j + 1, i + 1).

/** The outlines of the 8-connected components of a mask, largest area first: points [x, y]. */
export function components(mask, width, height) {
  const labels = new Int32Array(width * height);
  const found = [];
  const stack = [];
  for (let start = 0; start < mask.length; start++) {
    if (!mask[start] || labels[start]) continue;
    const rows = new Map(); // by row: its first column, and that behind the last
    let area = 0;
    labels[start] = found.length + 1;
    for (stack.push(start); stack.length; ) {
      const at = stack.pop();
      const x = at % width;
      const y = (at - x) / width;
      const row = rows.get(y);
      rows.set(y, row ? [Math.min(row[0], x), Math.max(row[1], x + 1)] : [x, x + 1]);
      area++;
      for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v++) {
        for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, width - 1); u++) {
          const near = v * width + u;
          if (mask[near] && !labels[near]) {
            labels[near] = labels[at];
            stack.push(near);
          }
        }
      }
    }
    found.push({ area, rows });
  }
  found.sort((a, b) => b.area - a.area);
  return found.map(({ rows }) =>
    [...rows].flatMap(([y, [left, right]]) => [[left, y], [right, y], [left, y + 1], [right, y + 1]]),
  );
}

/** The corners of the convex hull in order. */
export function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (sequence) => {
    const chain = [];
    for (const point of sequence) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The box of least area around points: one side lies on a side of their hull. */
export function smallestRectangle(points) {
  const hull = convexHull(points);
  let best;
  hull.forEach((from, index) => {
    const to = hull[(index + 1) % hull.length];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!length) return;
    const axis = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const along = hull.map(([x, y]) => x * axis[0] + y * axis[1]);
    const across = hull.map(([x, y]) => y * axis[0] - x * axis[1]);
    const [u0, u1, v0, v1] = [Math.min(...along), Math.max(...along), Math.min(...across), Math.max(...across)];
    const area = (u1 - u0) * (v1 - v0);
    if (!best || area < best.area) best = { area, axis, sides: [[u0, v0], [u1, v0], [u1, v1], [u0, v1]] };
  });
  const { axis, sides } = best;
  return clockwise(sides.map(([u, v]) => [u * axis[0] - v * axis[1], u * axis[1] + v * axis[0]]));
}

function clockwise(corners) {
  const byX = [...corners].sort((a, b) => a[0] - b[0]);
  const [left, right] = [byX.slice(0, 2), byX.slice(2)];
  left.sort((a, b) => a[1] - b[1]);
  right.sort((a, b) => a[1] - b[1]);
  return [left[0], right[0], right[1], left[1]];
}

/** Width and height of a box. */
export function size(box) {
  const length = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);
  return [length(box[0], box[1]), length(box[0], box[3])];
}

/** The box with every side moved outwards. */
export function grow(box, distance) {
  const [width, height] = size(box);
  const step = (to, length) => [0, 1].map((i) => ((to[i] - box[0][i]) / length) * distance);
  const [right, down] = [step(box[1], width), step(box[3], height)];
  const signs = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  return box.map((corner, at) => corner.map((c, i) => c + signs[at][0] * right[i] + signs[at][1] * down[i]));
}

/** The mean of a map over the pixels whose centres lie in a box, else 0. */
export function meanInside(values, width, height, box) {
  const limit = (value, most) => Math.min(Math.max(value, 0), most);
  const [xs, ys] = [box.map((corner) => corner[0]), box.map((corner) => corner[1])];
  const [x0, x1] = [limit(Math.floor(Math.min(...xs)), width), limit(Math.ceil(Math.max(...xs)), width)];
  const [y0, y1] = [limit(Math.floor(Math.min(...ys)), height), limit(Math.ceil(Math.max(...ys)), height)];
  const sides = [box[1], box[3]].map((to) => [to[0] - box[0][0], to[1] - box[0][1]]);
  let sum = 0;
  let count = 0;
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const [u, v] = [x + 0.5 - box[0][0], y + 0.5 - box[0][1]];
      const inside = sides.every(([a, b]) => {
        const along = u * a + v * b;
        return along >= 0 && along <= a * a + b * b;
      });
      if (inside) {
        sum += values[y * width + x];
        count++;
      }
    }
  }
  return count ? sum / count : 0;
}
