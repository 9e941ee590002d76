// Pictures as {data, width, height}, four bytes a pixel, as a canvas gives them.

/** Another size, bilinear; a smaller one is the mean of what it covers. */
export function resize({ data, width, height }, toWidth, toHeight) {
  const columns = taps(width, toWidth);
  const rows = taps(height, toHeight);
  const wide = new Float32Array(toWidth * height * 4);
  for (let y = 0; y < height; y++) {
    columns.forEach(({ first, weights }, x) => {
      for (let c = 0; c < 4; c++) {
        let sum = 0;
        for (let i = 0; i < weights.length; i++) sum += weights[i] * data[(y * width + first + i) * 4 + c];
        wide[(y * toWidth + x) * 4 + c] = Math.round(sum);
      }
    });
  }
  const made = new Uint8ClampedArray(toWidth * toHeight * 4);
  rows.forEach(({ first, weights }, y) => {
    for (let x = 0; x < toWidth * 4; x++) {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += weights[i] * wide[(first + i) * toWidth * 4 + x];
      made[y * toWidth * 4 + x] = Math.round(sum);
    }
  });
  return { data: made, width: toWidth, height: toHeight };
}

function taps(from, to) {
  const scale = from / to;
  const support = Math.max(scale, 1);
  return Array.from({ length: to }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const first = Math.max(0, Math.floor(centre - support + 0.5));
    const last = Math.min(from, Math.floor(centre + support + 0.5));
    const weights = [];
    for (let i = first; i < last; i++) {
      weights.push(Math.max(0, 1 - Math.abs((i + 0.5 - centre) / support)));
    }
    const sum = weights.reduce((a, b) => a + b, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

/** The picture inside a box, upright; standing lines are turned by 90 degrees. */
export function crop({ data, width, height }, box, [boxWidth, boxHeight]) {
  const [w, h] = [Math.max(1, Math.round(boxWidth)), Math.max(1, Math.round(boxHeight))];
  const cut = new Uint8ClampedArray(w * h * 4);
  const clip = (value, most) => Math.min(Math.max(value, 0), most);
  for (let j = 0; j < h; j++) {
    for (let i = 0; i < w; i++) {
      const [u, v] = [(i + 0.5) / w, (j + 0.5) / h];
      const at = (axis) =>
        box[0][axis] + u * (box[1][axis] - box[0][axis]) + v * (box[3][axis] - box[0][axis]) - 0.5;
      const [x, y] = [clip(at(0), width - 1), clip(at(1), height - 1)];
      const [x0, y0] = [Math.floor(x), Math.floor(y)];
      const [x1, y1] = [Math.min(x0 + 1, width - 1), Math.min(y0 + 1, height - 1)];
      const [fx, fy] = [x - x0, y - y0];
      for (let c = 0; c < 4; c++) {
        const pixel = (px, py) => data[(py * width + px) * 4 + c];
        const top = pixel(x0, y0) * (1 - fx) + pixel(x1, y0) * fx;
        const bottom = pixel(x0, y1) * (1 - fx) + pixel(x1, y1) * fx;
        cut[(j * w + i) * 4 + c] = top * (1 - fy) + bottom * fy;
      }
    }
  }
  const picture = { data: cut, width: w, height: h };
  return h >= 1.5 * w ? turned(picture) : picture;
}

/** By 90 degrees, against the clock. */
function turned({ data, width, height }) {
  const made = new Uint8ClampedArray(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = ((width - 1 - x) * height + y) * 4;
      made.set(data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4), to);
    }
  }
  return { data: made, width: height, height: width };
}

/** Channels behind each other, blue first, each pixel `(value / 255 - mean) / std`. */
export function planes({ data, width, height }, mean, std, room = width) {
  const made = new Float32Array(3 * height * room);
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const value = data[(y * width + x) * 4 + 2 - c] / 255;
        made[(c * height + y) * room + x] = (value - mean[c]) / std[c];
      }
    }
  }
  return made;
}
