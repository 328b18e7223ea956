// The limit page's whole program: arrays, a pool of rows, one listener for keys. See index.html for what it is for.
const ROW_HEIGHT = 28;
const PAGE_TASKS = 5_000;
const COMPLETE = 1;
const DEEPER = 2;

const element = (id) => document.getElementById(id);
const [screenBox, extent, entry, query, palette] = ['screen', 'extent', 'entry', 'query', 'palette'].map(
  element,
);

// A task is its number; these hold what is known of it.
let titles = [];
let flags = new Uint8Array(0);
let folded = [];
// The open list, and what is on screen of it: the same array unless a search is on.
let open = [];
let shown = open;
let cursor = 0;
let top_ = 0;
let database;
const lines = [];
const undoable = [];

const outcome = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function afterFrame(work) {
  requestAnimationFrame(() => setTimeout(() => work()));
}

function append(change) {
  afterFrame(() => {
    const transaction = database.transaction('journal', 'readwrite', { durability: 'relaxed' });
    transaction.objectStore('journal').add(change);
  });
}

function drawLine(index) {
  const line = lines[index % lines.length];
  if (index >= shown.length) {
    if (line.index !== -1) line.box.hidden = true;
    line.index = -1;
    return;
  }
  const task = shown[index];
  const flag = flags[task];
  let look = index === cursor ? 'line cursor' : 'line';
  if (flag & COMPLETE) look += ' complete';
  if (flag & DEEPER) look += ' deeper';
  if (line.index === -1) line.box.hidden = false;
  if (line.index !== index) line.box.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
  line.index = index;
  if (line.title !== titles[task]) line.text.data = line.title = titles[task];
  if (line.look !== look) line.box.className = line.look = look;
}

function drawAll() {
  for (let index = top_; index < top_ + lines.length; index += 1) drawLine(index);
}

function measure() {
  extent.style.height = `${shown.length * ROW_HEIGHT}px`;
}

function moveCursor(to) {
  const from = cursor;
  cursor = Math.min(shown.length - 1, Math.max(0, to));
  const fit = lines.length - 3;
  const before = top_;
  if (cursor < top_) top_ = cursor;
  else if (cursor >= top_ + fit) top_ = cursor - fit + 1;
  if (top_ !== before) {
    screenBox.scrollTop = top_ * ROW_HEIGHT;
    drawAll();
  }
  drawLine(from);
  drawLine(cursor);
}

function flip(task, flag) {
  flags[task] ^= flag;
  drawLine(cursor);
  append({ flip: task, flag });
}

function create(title) {
  const task = titles.push(title) - 1;
  folded.push(title.toLowerCase());
  if (task >= flags.length) {
    const larger = new Uint8Array(flags.length * 2 + 64);
    larger.set(flags);
    flags = larger;
  }
  open.splice(cursor + 1, 0, task);
  measure();
  moveCursor(cursor + 1);
  drawAll();
  append({ create: title, at: cursor });
}

function carry(step) {
  const to = cursor + step;
  if (to < 0 || to >= open.length) return;
  const [task] = open.splice(cursor, 1);
  open.splice(to, 0, task);
  append({ carry: task, to });
  moveCursor(to);
  drawAll();
}

function search(text) {
  const wanted = text.toLowerCase();
  if (wanted === '') shown = open;
  else {
    shown = [];
    for (let task = 0; task < folded.length; task += 1) if (folded[task].includes(wanted)) shown.push(task);
  }
  cursor = 0;
  top_ = 0;
  screenBox.scrollTop = 0;
  measure();
  drawAll();
}

const commandNames = Array.from({ length: 120 }, (_, at) => `Command number ${at} of the list`);
function showPalette() {
  element('commands').replaceChildren(
    ...commandNames.slice(0, 12).map((name) => {
      const row = document.createElement('div');
      row.textContent = name;
      return row;
    }),
  );
  palette.showPopover();
  element('command').focus();
}

function leave() {
  if (palette.matches(':popover-open')) palette.hidePopover();
  if (document.activeElement === query && query.value !== '') {
    query.value = '';
    search('');
  }
  document.activeElement?.blur();
}

function undo() {
  const last = undoable.pop();
  if (last) flip(last.task, last.flag);
}

function flipAtCursor(flag) {
  const task = shown[cursor];
  undoable.push({ task, flag });
  flip(task, flag);
}

const inList = {
  ArrowDown: () => moveCursor(cursor + 1),
  ArrowUp: () => moveCursor(cursor - 1),
  'Alt+ArrowDown': () => carry(1),
  'Alt+ArrowUp': () => carry(-1),
  x: () => flipAtCursor(COMPLETE),
  Tab: () => flipAtCursor(DEEPER),
  n: () => entry.focus(),
  '/': () => query.focus(),
  'Control+z': undo,
};

addEventListener('keydown', (event) => {
  const name = `${event.ctrlKey ? 'Control+' : ''}${event.altKey ? 'Alt+' : ''}${event.key}`;
  const isTyping = event.target instanceof HTMLInputElement;
  let act = isTyping ? undefined : inList[name];
  if (name === 'Control+k') act = showPalette;
  if (name === 'Escape') act = leave;
  if (name === 'Enter' && event.target === entry) {
    act = () => {
      create(entry.value);
      entry.value = '';
    };
  }
  if (!act) return;
  event.preventDefault();
  act();
});
query.addEventListener('input', () => search(query.value));
screenBox.addEventListener(
  'scroll',
  () => {
    const first = Math.floor(screenBox.scrollTop / ROW_HEIGHT);
    if (first === top_) return;
    top_ = first;
    drawAll();
  },
  { passive: true },
);

function replay(change) {
  if ('flip' in change) flags[change.flip] ^= change.flag;
  else if ('create' in change) open.splice(change.at, 0, titles.push(change.create) - 1);
  else {
    open.splice(open.indexOf(change.carry), 1);
    open.splice(change.to, 0, change.carry);
  }
}

async function start() {
  const opening = indexedDB.open('limit', 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('pages');
    opening.result.createObjectStore('journal', { autoIncrement: true });
  };
  database = await outcome(opening);
  const transaction = database.transaction(['pages', 'journal']);
  const [pages, journal, inOpenList] = await Promise.all([
    outcome(transaction.objectStore('pages').getAll(IDBKeyRange.lowerBound(0))),
    outcome(transaction.objectStore('journal').getAll()),
    outcome(transaction.objectStore('pages').get(-1)),
  ]);
  titles = pages.flatMap((page) => page.split('\n'));
  flags = new Uint8Array(titles.length + 64);
  open = Array.from({ length: inOpenList ?? 0 }, (_, at) => at);
  shown = open;
  for (const change of journal) replay(change);
  const count = Math.ceil(screenBox.clientHeight / ROW_HEIGHT) + 3;
  for (let at = 0; at < count; at += 1) {
    const box = document.createElement('div');
    const text = document.createTextNode('');
    box.hidden = true;
    box.append(text);
    screenBox.append(box);
    lines.push({ box, text, index: -1, title: '', look: '' });
  }
  measure();
  drawAll();
  document.body.dataset.state = 'ready';
  // What a search compares is made when nobody waits for it.
  setTimeout(() => {
    folded = titles.map((title) => title.toLowerCase());
  });
}

/** Replaces everything stored; the page shows it when it is loaded again. */
globalThis.seedLimit = async (all, openCount) => {
  const transaction = database.transaction(['pages', 'journal'], 'readwrite');
  const pages = transaction.objectStore('pages');
  pages.clear();
  transaction.objectStore('journal').clear();
  for (let at = 0; at < all.length; at += PAGE_TASKS) {
    pages.put(all.slice(at, at + PAGE_TASKS).join('\n'), at / PAGE_TASKS);
  }
  await outcome(pages.put(openCount, -1));
};

void start();
