// The page of a public link, drawn on the server: readable before and without its script, which then keeps it up to date. Every text
// from people is escaped (html.ts).
import { drawn, type Drawn } from '#core/markdown/drawn.ts';
import { drawnNote } from '#core/markdown/drawn-note.ts';
import { clockWhereSaid } from '#core/when-text.ts';
import type { LinkMay, ShownList, ShownTask } from '#wire/public-links.ts';
import { doneOf, outlined, partsOf, type OutlinedTask } from '#wire/public-page/shown-outline.ts';
import { rowAttributes, rowContent, type RowLook } from '#wire/public-page/shown-row.ts';
import { aboutText, visitorBar } from '#wire/public-page/shown-words.ts';
import { escaped, htmlOf } from './html.ts';

/** Rows in the document; the script brings the rest. */
export const DRAWN_ROWS = 500;

/** What the build made for the page. */
export interface PageFiles {
  /** The script of the page, and what it imports. */
  readonly script: string;
  readonly imports: readonly string[];
  /** The script that stands in the page itself and fetches the other; null: the page needs none. */
  readonly start: string | null;
  readonly fonts: readonly string[];
  /** The style sheet itself. */
  readonly style: string;
}

/** Without scripts moments are told in the zone in which they were said, and nothing can be pressed. */
const LOOK: RowLook = { canComplete: false, clock: clockWhereSaid, note: drawnNote };

/** Letters that are drawn; the script brings the rest of a list with longer texts. */
const DRAWN_LETTERS = 60_000;

/** The rows that are drawn: so many, and not too much text. */
function firstRows(outline: readonly OutlinedTask[]): readonly OutlinedTask[] {
  let letters = 0;
  const end = outline.findIndex(({ task: { title, notes = '' } }, at) => {
    letters += title.length + notes.length;
    return at >= DRAWN_ROWS || (at > 0 && letters > DRAWN_LETTERS);
  });
  return end < 0 ? outline : outline.slice(0, end);
}

const row = (each: OutlinedTask): Drawn =>
  drawn('div', rowAttributes(each, LOOK), rowContent(each.task, LOOK));

/** Rows out of sight are laid out by no browser, here as with the script. */
const rows = (outline: readonly OutlinedTask[]): string =>
  htmlOf(
    partsOf(outline).map((part) =>
      drawn('div', { class: part.look, role: 'presentation' }, part.rows.map(row)),
    ),
  );

/** What keeps early keys, and fetches the rest once the page has been seen. */
function startOf({ script, imports, start }: PageFiles): readonly string[] {
  if (start === null) return [];
  return [`<script data-script="${escaped([script, ...imports].join(' '))}">${start}</script>`];
}

/** Style sheet and first script are in the page, so that the first bytes are enough to show it; their digests are in the policy. */
const head = (title: string, files: PageFiles | null) =>
  [
    '<!doctype html>',
    '<html lang="en" dir="ltr">',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escaped(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex, nofollow, noarchive">',
    '<meta name="referrer" content="no-referrer">',
    ...(files?.fonts ?? []).map(
      (href) => `<link rel="preload" href="${escaped(href)}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...(files ? [`<style>${files.style}</style>`, ...startOf(files)] : []),
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '</head>',
  ].join('\n');

const MARK =
  '<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><rect x="1" y="3.5" width="18" height="13" rx="2.5"/>' +
  '<path d="m2.5 6 6.4 4.9a1.8 1.8 0 0 0 2.2 0L17.5 6"/><path d="M4 13.75h3.5M12.5 13.75H16"/></svg>';

const brand = `<p class="brand">${MARK}<span>Shared with Posthaste</span><span id="live" class="live" hidden>Live</span></p>`;

const foot = (may: LinkMay | null) =>
  `<footer><p id="about">${may === null ? '' : htmlOf(aboutText(may))}</p><p><a href="/">Posthaste</a></p></footer>`;

function count(tasks: readonly ShownTask[]): string {
  const { text, percent } = doneOf(tasks);
  const ring =
    '<svg class="ring" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.4"/>' +
    `<circle id="part" cx="8" cy="8" r="2.05" pathLength="100" stroke-dasharray="${percent} 100" transform="rotate(-90 8 8)"/></svg>`;
  return `<p class="count"${text === '' ? ' hidden' : ''}>${ring}<span id="count">${text}</span></p>`;
}

/** The page of a link that is open. */
export function listPage(
  { name, logo, may }: ShownList,
  tasks: readonly ShownTask[],
  { address, files }: { readonly address: string; readonly files: PageFiles | null },
): string {
  const title = name === '' ? 'Untitled list' : name;
  const outline = outlined(tasks);
  const first = firstRows(outline);
  const more = outline.length - first.length;
  const picture = logo === null ? '' : `<img class="logo" alt="" src="${address}/logo?v=${escaped(logo)}">`;
  return [
    head(title, files),
    '<body class="public-list">',
    '<a class="skip" href="#tasks">Skip to the tasks</a>',
    `<header>${brand}<div class="name">${picture}<h1 dir="auto">${escaped(title)}</h1></div>${count(tasks)}`,
    '<p id="status" class="status" role="status"></p><p id="said" class="unseen" role="status"></p></header>',
    `<main><div id="tasks" class="tasks" role="list" aria-label="Tasks">${rows(first)}</div>`,
    `<p id="empty" class="empty"${outline.length === 0 ? '' : ' hidden'}>There are no tasks in this list.</p>`,
    `<noscript><p class="empty">${more > 0 ? `${more} more tasks are shown with scripts on. ` : ''}With scripts on, this page follows changes by itself. Without, reload it.</p></noscript>`,
    `${htmlOf(visitorBar(may))}</main>`,
    foot(may),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** What stands in the place of the name until the page has opened it, which the server can't. */
const SEALED = 'Encrypted list';

/** The page of an encrypted list: it has no word of it. Its script opens the list with what stands in the fragment of the address. */
export function sealedPage(may: LinkMay, { files }: { readonly files: PageFiles | null }): string {
  return [
    head(SEALED, files),
    '<body class="public-list" data-sealed="yes">',
    '<a class="skip" href="#tasks">Skip to the tasks</a>',
    `<header>${brand}<div class="name"><h1 dir="auto">${SEALED}</h1></div>${count([])}`,
    '<p id="status" class="status" role="status"></p><p id="said" class="unseen" role="status"></p></header>',
    '<main><div id="tasks" class="tasks" role="list" aria-label="Tasks"></div>',
    '<p id="empty" class="empty" hidden>There are no tasks in this list.</p>',
    '<noscript><p class="empty">This list is end-to-end encrypted. Your browser opens it, and needs scripts for that.</p></noscript>',
    `${htmlOf(visitorBar(may, false))}</main>`,
    foot(may),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** The page that says why there is no list. */
export function closedPage(
  { title, text }: { readonly title: string; readonly text: string },
  files: PageFiles | null,
): string {
  return [
    head(title, files && { ...files, start: null }),
    '<body class="public-list">',
    `<header>${brand}</header><main class="closed"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>`,
    foot(null),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
