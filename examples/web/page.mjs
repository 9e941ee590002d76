// The page: pictures from files or the camera, boxes and text drawn, times shown.
import { Predictor } from './package/index.mjs';
import { Ocr } from './ocr.mjs';

const MOST_THREADS = 4;
const at = (id) => document.getElementById(id);
const canvas = at('canvas');
const context = canvas.getContext('2d', { willReadFrequently: true });

/** What goes wrong is said in the page. */
function saying(action) {
  return async (...given) => {
    at('error').textContent = '';
    try {
      await action(...given);
    } catch (error) {
      at('error').textContent = error.message;
    }
  };
}

async function load() {
  const percent = (name) => (loaded, total) => {
    const part = total ? `${Math.round((100 * loaded) / total)} %` : `${loaded >> 10} KB`;
    at('state').textContent = `Loading the ${name}: ${part}`;
  };
  const threads = Math.min(navigator.hardwareConcurrency, MOST_THREADS);
  const [detector, recogniser, characters] = await Promise.all([
    Predictor.load('models/det.nb', { threads, progress: percent('detector') }),
    Predictor.load('models/rec.nb', { threads, progress: percent('recogniser') }),
    fetch('models/characters.txt').then((response) => response.text()),
  ]);
  at('state').textContent = `Ready, threads: ${detector.threads}.`;
  at('file').disabled = at('camera').disabled = false;
  return new Ocr(detector, recogniser, characters);
}

async function read(source, width, height) {
  Object.assign(canvas, { width, height });
  context.drawImage(source, 0, 0, width, height);
  at('lines').replaceChildren();
  at('state').textContent = 'Reading …';
  const begin = performance.now();
  const lines = await (await ocr).read(context.getImageData(0, 0, width, height));
  at('state').textContent = `${lines.length} lines in ${Math.round(performance.now() - begin)} ms`;
  context.strokeStyle = '#e00';
  context.lineWidth = Math.max(1, width / 400);
  for (const { box, text, confidence } of lines) {
    context.beginPath();
    box.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.stroke();
    const item = document.createElement('li');
    const sure = document.createElement('small');
    sure.textContent = ` ${Math.round(100 * confidence)} %`;
    item.append(text, sure);
    at('lines').append(item);
  }
}

const ocr = load();
ocr.catch((error) => (at('error').textContent = error.message));

at('file').addEventListener(
  'change',
  saying(async ({ target }) => {
    if (!target.files.length) return;
    const picture = await createImageBitmap(target.files[0]);
    await read(picture, picture.width, picture.height);
  }),
);

at('camera').addEventListener(
  'click',
  saying(async () => {
    const video = at('video');
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    await video.play();
    video.hidden = at('shoot').hidden = false;
  }),
);

at('shoot').addEventListener(
  'click',
  saying(async () => {
    const video = at('video');
    await read(video, video.videoWidth, video.videoHeight);
  }),
);
