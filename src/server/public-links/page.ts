// The page of a public link, drawn on the server: readable before and without its script, which then keeps it up to date. Every text
// from people is escaped; the page has no links but those of its own and those in notes, which are drawn by the script.
import { whenText } from '#core/when-text.ts';
import type { ShownLabel, ShownList, ShownTask } from '#wire/public-links.ts';
import { outlined, type OutlinedTask } from '#wire/shown-outline.ts';

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
    `<li class="task${isDone ? ' done' : ''}" aria-level="${level}" data-level="${Math.min(level, MOST_INDENT)}">` +
    `<span class="box" aria-hidden="true"></span><div class="words"><p class="title" dir="auto">` +
    `${isDone ? '<span class="unseen">Done: </span>' : ''}${name}</p>${facts(task)}${note}</div></li>`
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

const foot = '<footer><p>Shown by <a href="/">Posthaste</a>.</p></footer>';

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
    `<header><div class="name">${picture}<h1 dir="auto">${escaped(title)}</h1></div>`,
    '<p id="about" class="about"></p><p id="status" class="status" role="status"></p></header>',
    `<main><ul id="tasks" class="tasks" aria-label="Tasks">${drawn.map(row).join('')}</ul>`,
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
    `<main class="closed"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>`,
    foot,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
