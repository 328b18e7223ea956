// What is on paper when a list is printed: all of its lines, not only those on screen. The views draw it (web/views/paper).
import type { RowView } from '../app/view.ts';
import type { Program } from '../app/program.ts';
import type { Paper, PaperLine } from './port.ts';
import { detailWords } from '../outline/row-words.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** More would be hundreds of pages that nobody wants, and a page that takes seconds to draw. */
export const MOST_LINES = 5_000;

const inShort = (row: RowView): string =>
  detailWords({
    ...row,
    kind: 'task',
    unread: false,
    reminds: false,
    bookmarked: false,
    hasNotes: false,
    hasFiles: false,
    childCount: 0,
  });

function dayOf(program: Program): string {
  const { now, zone, locale } = program.moment();
  const of = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: zone } as const;
  return new Intl.DateTimeFormat(locale, of).format(now);
}

/** The open place with the lines that its outline shows. */
export function paperOf(program: Program, hasNotes: boolean): Paper {
  const { workspace, rowFacts, replica } = program;
  const { outline, place, results } = workspace;
  const count = Math.min(outline.length, MOST_LINES);
  const lines = Array.from({ length: count }, (_, index): PaperLine => {
    const row = rowFacts.rowAt(index, null, []);
    const heading = row.heading === null ? null : [row.heading.text, row.heading.detail].filter(Boolean);
    return {
      line: row.line,
      heading: heading?.join(' · ') ?? null,
      level: row.level,
      kind: row.kind,
      isDone: row.done,
      title: row.title,
      details: inShort(row),
      notes: hasNotes ? (fieldOf(replica.row(row.id), 'notes') ?? '') : '',
    };
  });
  const done = lines.filter(({ isDone }) => isDone).length;
  // The trash and folders hold lists as well.
  const name = lines.every(({ kind }) => kind === 'task') ? 'task' : 'item';
  const total = outline.length === 1 ? `1 ${name}` : `${outline.length.toLocaleString('en')} ${name}s`;
  const list = results === null && place.type !== 'trash' ? replica.row(place.id) : undefined;
  return {
    title: results === null ? program.placeName : `Search: ${program.query ?? ''}`,
    about: [total, done === 0 ? '' : `${done} completed`, dayOf(program)].filter(Boolean).join(' · '),
    notes: hasNotes ? (fieldOf(list, 'notes') ?? '') : '',
    lines,
    left: outline.length - count,
  };
}
