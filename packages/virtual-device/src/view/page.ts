/** The page of the live view. Its script speaks to `routes.ts`. */
export function viewPage(name: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(name)} – Jugg virtual device</title>
<style nonce="${nonce}">
  html, body { height: 100%; margin: 0; }
  body { display: flex; flex-direction: column; align-items: center; gap: 8px; background: #1c2126; color: #dde3e9; font: 14px system-ui, sans-serif; }
  main { flex: 1; min-height: 0; display: flex; align-items: center; padding: 8px 8px 0; }
  canvas { max-width: 96vw; max-height: calc(100vh - 70px); border-radius: 10px; box-shadow: 0 2px 18px #000a; touch-action: none; cursor: pointer; outline: none; background: #000; }
  nav { display: flex; gap: 8px; padding-bottom: 10px; align-items: center; }
  button { font: inherit; color: inherit; background: #333c45; border: 0; border-radius: 6px; padding: 6px 14px; cursor: pointer; }
  button:hover { background: #44505b; }
  #state { min-width: 9em; color: #93a1ae; }
</style>
</head>
<body>
<main><canvas id="screen" tabindex="0" aria-label="Screen of the device: click, drag, type"></canvas></main>
<nav>
  <button data-key="4">Back</button>
  <button data-key="3">Home</button>
  <button data-key="26">Power</button>
  <button id="rotate">Rotate</button>
  <span id="state" role="status">connecting …</span>
</nav>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Plain JavaScript of the browser: it is sent as it stands. */
const SCRIPT = `
'use strict';
const token = new URLSearchParams(location.search).get('token');
const headers = { 'x-view-token': token };
const screen_ = document.getElementById('screen');
const state = document.getElementById('state');
const context = screen_.getContext('2d');

let drawing = false, wanted = false;
async function draw() {
  if (drawing) { wanted = true; return; }
  drawing = true;
  do {
    wanted = false;
    const response = await fetch('/frame', { headers });
    if (!response.ok) continue;
    const picture = await createImageBitmap(await response.blob());
    if (screen_.width !== picture.width || screen_.height !== picture.height) {
      screen_.width = picture.width;
      screen_.height = picture.height;
    }
    context.drawImage(picture, 0, 0);
    picture.close();
  } while (wanted);
  drawing = false;
}

async function follow() {
  for (;;) {
    try {
      const response = await fetch('/frames', { headers });
      if (response.status === 401) { state.textContent = 'not allowed: the device was restarted'; return; }
      state.textContent = 'connected';
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value.includes('data:')) { draw().catch(() => { drawing = false; }); screen_.dataset.frame = value.match(/data: (\\d+)/g).at(-1).slice(6); }
      }
    } catch {}
    state.textContent = 'the device does not answer';
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

let queue = Promise.resolve();
function send(input) {
  queue = queue.then(() => fetch('/input', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(input) })).catch(() => {});
}

function point(event) {
  const box = screen_.getBoundingClientRect();
  const clamp = (value, max) => Math.round(Math.min(Math.max(value, 0), max - 1));
  return {
    x: clamp((event.clientX - box.left) / box.width * screen_.width, screen_.width),
    y: clamp((event.clientY - box.top) / box.height * screen_.height, screen_.height),
  };
}

let down = null;
screen_.addEventListener('pointerdown', (event) => {
  screen_.focus();
  screen_.setPointerCapture(event.pointerId);
  down = { ...point(event), time: event.timeStamp };
  event.preventDefault();
});
screen_.addEventListener('pointerup', (event) => {
  if (!down) return;
  const up = point(event);
  const durationMs = Math.round(event.timeStamp - down.time);
  if (Math.hypot(up.x - down.x, up.y - down.y) > 20) send({ kind: 'swipe', x1: down.x, y1: down.y, x2: up.x, y2: up.y, durationMs: Math.max(durationMs, 30) });
  else send({ kind: 'tap', x: down.x, y: down.y, ...(durationMs > 450 ? { durationMs } : {}) });
  down = null;
});
screen_.addEventListener('pointercancel', () => { down = null; });
screen_.addEventListener('wheel', (event) => {
  event.preventDefault();
  const { x, y } = point(event);
  const y2 = Math.min(Math.max(y - event.deltaY * 2, 0), screen_.height - 1);
  send({ kind: 'swipe', x1: x, y1: y, x2: x, y2, durationMs: 120 });
}, { passive: false });

const KEYS = { Enter: 66, Backspace: 67, Delete: 112, Tab: 61, Escape: 4, ArrowUp: 19, ArrowDown: 20, ArrowLeft: 21, ArrowRight: 22, Home: 122, End: 123, PageUp: 92, PageDown: 93 };
screen_.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (KEYS[event.key] !== undefined) send({ kind: 'key', keyCode: KEYS[event.key] });
  else if ([...event.key].length === 1) send({ kind: 'text', text: event.key });
  else return;
  event.preventDefault();
});
document.addEventListener('paste', (event) => {
  const text = event.clipboardData.getData('text/plain');
  if (text) send({ kind: 'text', text: text.slice(0, 10000) });
});
for (const button of document.querySelectorAll('[data-key]'))
  button.addEventListener('click', () => { send({ kind: 'key', keyCode: Number(button.dataset.key) }); screen_.focus(); });
document.getElementById('rotate').addEventListener('click', () => { send({ kind: 'rotate' }); screen_.focus(); });
follow();
`;
