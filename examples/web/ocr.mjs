// Reads the text of a picture with PP-OCR's detector and recogniser, as examples/ocr does.
import { components, grow, meanInside, size, smallestRectangle } from './geometry.mjs';
import { crop, planes, resize } from './picture.mjs';

const LONGEST_SIDE = 1280;
const SHORTEST_LONG_SIDE = 320;
const PIXEL_THRESHOLD = 0.3;
const BOX_THRESHOLD = 0.5;
const UNCLIP_RATIO = 1.8;
const SMALLEST_SIDE = 3;
const MOST_BOXES = 1000;
const LINE_HEIGHT = 48;
const [NARROWEST, WIDEST, STEP] = [320, 3200, 32];

export class Ocr {
  /** Predictors of both models, and the characters: a line each, blanks before, a space behind. */
  constructor(detector, recogniser, characters) {
    this.detector = detector;
    this.recogniser = recogniser;
    this.characters = ['', ...characters.split('\n'), ' '];
  }

  /** Lines from top to bottom: {box, text, confidence}. `picture`: as a canvas's ImageData. */
  async read(picture) {
    const lines = [];
    for (const box of readingOrder(await this.detect(picture))) {
      lines.push({ box, ...(await this.recognise(crop(picture, box, size(box)))) });
    }
    return lines;
  }

  async detect(picture) {
    const longest = Math.max(picture.width, picture.height);
    const scale = Math.min(Math.max(longest, SHORTEST_LONG_SIDE), LONGEST_SIDE) / longest;
    const side = (length) => Math.max(32, Math.round((length * scale) / 32) * 32);
    const [width, height] = [side(picture.width), side(picture.height)];
    const data = planes(resize(picture, width, height), [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);
    const map = await this.#first(this.detector, { data, shape: [1, 3, height, width] });
    const mask = map.data.map((value) => (value > PIXEL_THRESHOLD ? 1 : 0));
    const boxes = [];
    for (const outline of components(mask, width, height).slice(0, MOST_BOXES)) {
      const core = smallestRectangle(outline);
      const [w, h] = size(core);
      if (Math.min(w, h) < SMALLEST_SIDE) continue;
      if (meanInside(map.data, width, height, core) < BOX_THRESHOLD) continue;
      const box = grow(core, (w * h * UNCLIP_RATIO) / (2 * (w + h)));
      boxes.push(box.map(([x, y]) => [(x * picture.width) / width, (y * picture.height) / height]));
    }
    return boxes;
  }

  async recognise(line) {
    const scaled = Math.ceil((LINE_HEIGHT * line.width) / line.height);
    const room = Math.min(Math.max(Math.ceil(scaled / STEP) * STEP, NARROWEST), WIDEST);
    const resized = resize(line, Math.min(room, Math.max(1, scaled)), LINE_HEIGHT);
    const half = [0.5, 0.5, 0.5];
    const data = planes(resized, half, half, room);
    const { data: found, shape } = await this.#first(this.recogniser, {
      data,
      shape: [1, 3, LINE_HEIGHT, room],
    });
    return decode(found, shape.at(-1), this.characters);
  }

  async #first(predictor, input) {
    const outputs = await predictor.run({ [predictor.inputNames[0]]: input });
    return outputs[predictor.outputNames[0]];
  }
}

/** The best class of each step; repeated ones and blanks left out. */
function decode(probabilities, classes, characters) {
  if (classes !== characters.length) {
    throw new Error(`the recogniser knows ${classes} classes, the list has ${characters.length}`);
  }
  let text = '';
  let sum = 0;
  let count = 0;
  let last = 0;
  for (let step = 0; step < probabilities.length; step += classes) {
    let best = 0;
    for (let i = 1; i < classes; i++) {
      if (probabilities[step + i] > probabilities[step + best]) best = i;
    }
    if (best && best !== last) {
      text += characters[best];
      sum += probabilities[step + best];
      count++;
    }
    last = best;
  }
  return { text, confidence: count ? sum / count : 0 };
}

/** From top to bottom, and from left to right within a row. */
function readingOrder(boxes) {
  const middle = (box, axis) => box.reduce((sum, corner) => sum + corner[axis], 0) / 4;
  const rows = [];
  for (const box of [...boxes].sort((a, b) => middle(a, 1) - middle(b, 1))) {
    const first = rows.at(-1)?.[0];
    const least = first && Math.min(size(first)[1], size(box)[1]) / 2;
    if (first && middle(box, 1) - middle(first, 1) < least) rows.at(-1).push(box);
    else rows.push([box]);
  }
  return rows.flatMap((row) => row.sort((a, b) => middle(a, 0) - middle(b, 0)));
}
