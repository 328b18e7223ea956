// The page of a public link, drawn on the server: readable before and without its script, which then keeps it up to date. Every text
// from people is escaped; the page has no links but those of its own and those in notes, which are drawn by the script.
import { whenText } from '#core/when-text.ts';
import type { ShownLabel, ShownList, ShownTask } from '#wire/public-links.ts';
import { doneOf, outlined, type OutlinedTask } from '#wire/shown-outline.ts';

/** Rows in the document; the script brings the rest. */
export const DRAWN_ROWS = 500;
/** Levels with an indent of their own. */
const MOST_INDENT = 12;

/** Files of the build that the page needs; null: the site was not built here, and the page only shows. */
export interface PageFiles {
  /** Null: the page needs none. */
  readonly script: string | null;
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const COLOR = /^#[0-9a-f]{6}$/i;

function label({ name, color }: ShownLabel): string {
  // Style attributes are not allowed here; a color of a picture is.
  const dot = `<svg viewBox="0 0 8 8" aria-hidden="true"><circle cx="4" cy="4" r="4" fill="${COLOR.test(color) ? color : '#777c85'}"/></svg>`;
  return `<span class="label">${dot}<bdi>${escaped(name)}</bdi></span>`;
}

function facts({ due, start, repeats, labels = [] }: ShownTask): string {
  const parts = [
    ...(start ? [`<span class="fact">starts ${escaped(whenText(start))}</span>`] : []),
    ...(due ? [`<span class="fact">due ${escaped(whenText(due))}</span>`] : []),
    ...(repeats ? ['<span class="fact">repeats</span>'] : []),
    ...labels.map(label),
  ];
  return parts.length === 0 ? '' : `<p class="facts">${parts.join(' ')}</p>`;
}

function row({ task, level }: OutlinedTask): string {
  const { title, notes, isDone } = task;
  const name = title === '' ? '<span class="untitled">Untitled</span>' : escaped(title);
  const note = notes === undefined ? '' : `<div class="notes" dir="auto">${escaped(notes)}</div>`;
  return (
    `<div class="task${isDone ? ' done' : ''}" role="listitem" aria-level="${level}" data-level="${Math.min(level, MOST_INDENT)}">` +
    `<span class="box" aria-hidden="true"></span><div class="words"><p class="title" dir="auto">` +
    `${isDone ? '<span class="unseen">Done: </span>' : ''}${name}</p>${note}</div>${facts(task)}</div>`
  );
}

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
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    ...(files?.fonts ?? []).map(
      (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...(files?.styles ?? []).map((href) => `<link rel="stylesheet" href="${href}">`),
    ...(files?.script ? [`<script type="module" src="${files.script}"></script>`] : []),
    '</head>',
  ].join('\n');

const MARK =
  '<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><rect x="1" y="3.5" width="18" height="13" rx="2.5"/>' +
  '<path d="m2.5 6 6.4 4.9a1.8 1.8 0 0 0 2.2 0L17.5 6"/><path d="M4 13.75h3.5M12.5 13.75H16"/></svg>';

const brand = `<p class="brand">${MARK}<span>Shared with Posthaste</span><span id="live" class="live" hidden>Live</span></p>`;

const foot = '<footer><p id="about"></p><p><a href="/">Posthaste</a></p></footer>';

function count(tasks: readonly ShownTask[]): string {
  const { text, percent } = doneOf(tasks);
  const ring =
    '<svg class="ring" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.4"/>' +
    `<circle id="part" cx="8" cy="8" r="2.05" pathLength="100" stroke-dasharray="${percent} 100" transform="rotate(-90 8 8)"/></svg>`;
  return `<p class="count"${text === '' ? ' hidden' : ''}>${ring}<span id="count">${text}</span></p>`;
}

/** The page of a link that is open. */
export function listPage(
  { name, logo }: ShownList,
  tasks: readonly ShownTask[],
  { address, files }: { readonly address: string; readonly files: PageFiles | null },
): string {
  const title = name === '' ? 'Untitled list' : name;
  const outline = outlined(tasks);
  const drawn = outline.slice(0, DRAWN_ROWS);
  const more = outline.length - drawn.length;
  const picture = logo === null ? '' : `<img class="logo" alt="" src="${address}/logo?v=${escaped(logo)}">`;
  return [
    head(title, files),
    '<body class="public-list">',
    '<a class="skip" href="#tasks">Skip to the tasks</a>',
    `<header>${brand}<div class="name">${picture}<h1 dir="auto">${escaped(title)}</h1></div>${count(tasks)}`,
    '<p id="status" class="status" role="status"></p></header>',
    `<main><div id="tasks" class="tasks" role="list" aria-label="Tasks">${drawn.map(row).join('')}</div>`,
    `<p id="empty" class="empty"${outline.length === 0 ? '' : ' hidden'}>There are no tasks in this list.</p>`,
    `<noscript><p class="empty">${more > 0 ? `${more} more tasks are shown with scripts on. ` : ''}With scripts on, this page follows changes by itself. Without, reload it.</p></noscript>`,
    '</main>',
    foot,
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
    head(title, files && { ...files, script: null }),
    '<body class="public-list">',
    `<header>${brand}</header><main class="closed"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>`,
    foot,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
