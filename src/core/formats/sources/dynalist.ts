// Reads Dynalist's OPML, whose text is Markdown with dates of its own: !(2026-12-01 09:00 | 1m).
import { failed, ok } from '../../result.ts';
import { walkOpml } from '../opml.ts';
import {
  type Format,
  paragraphs,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { plainTitle } from '../import/inline-markdown.ts';
import { wordTable } from '../word-table.ts';

const DATE =
  /!\((\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?(?:\s*-\s*(\d{4}-\d\d-\d\d)?\s*(\d\d:\d\d)?)?(?:\s*\|\s*~?(\d{1,4})([dwmy]))?\)/;
const ANY_DATE = /!\(\d{4}-\d\d-\d\d[^()]{0,60}\)/g;
const TAG = /(^|\s)#(?=[^\s#]*[\p{L}])([\p{L}\p{N}][^\s#.,;!?)]*)/gu;
const UNITS: Readonly<Record<string, string>> = wordTable({ d: 'days', w: 'weeks', m: 'months', y: 'years' });

/** Gives a task its first date; spans over days and further dates stay words. */
function giveDate(task: RawTask, text: string, tools: Tools): string {
  const dates = text.match(ANY_DATE) ?? [];
  const [whole = '', day = '', time, lastDay, until, count, unit = ''] = DATE.exec(dates[0] ?? '') ?? [];
  for (const other of dates.slice(1)) tools.losses.add('date', '!()', 'title', other);
  if (whole === '') return text;
  if (lastDay !== undefined && lastDay !== day) {
    task.start = { words: day };
    task.due = { words: lastDay };
  } else {
    task.due = { words: time === undefined ? day : `${day}T${time}` };
    const inDay = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    if (time !== undefined && until !== undefined && inDay(until) > inDay(time))
      task.duration = inDay(until) - inDay(time);
  }
  const name = UNITS[unit];
  if (count !== undefined && name !== undefined)
    task.repeat = { words: `every ${count} ${name}`, language: 'en' };
  const rest = text
    .replace(whole, '')
    .replaceAll(/\s{2,}/g, ' ')
    .trim();
  return rest === '' ? text : rest;
}

function taskOf(attributes: Readonly<Record<string, string>>, tools: Tools): RawTask {
  const task = rawTask({ title: '' });
  const dated = giveDate(task, attributes['text'] ?? '', tools);
  const { title, addresses, isFormatted } = plainTitle(dated);
  task.title = title;
  task.labels = [...title.matchAll(TAG)].map(([, , name = '']) => ({ name }));
  task.notes = paragraphs(attributes['_note'] ?? '', addresses.join('\n'));
  if (attributes['complete'] === 'true') task.done = { at: null };
  task.isCollapsed = attributes['collapsed'] === 'true';
  task.isHeading = /^[1-3]$/.test(attributes['heading'] ?? '');
  if (addresses.length > 0) tools.losses.add('link', 'text', 'notes', title);
  if (isFormatted) tools.losses.add('formatting', 'text', 'title', title);
  if ((attributes['colorlabel'] ?? '') !== '') tools.losses.add('color', 'colorlabel', 'nowhere', title);
  return task;
}

/** Dynalist's OPML. */
export const dynalist: Format = {
  name: 'dynalist',
  title: 'Dynalist OPML',
  extensions: ['.opml'],
  detect: ({ head }) => /<opml[\s>]/.test(head) && /<flavor>\s*dynalist\s*<\/flavor>/i.test(head),
  read: (files, tools) => {
    const lists: RawList[] = [];
    for (const file of files) {
      const tops: RawTask[] = [];
      const open: RawTask[] = [];
      const problem = walkOpml(file.said, {
        open: (attributes) => {
          const task = taskOf(attributes, tools);
          (open.at(-1)?.children ?? tops).push(task);
          open.push(task);
        },
        close: () => open.pop(),
      });
      if (problem !== null) return failed(`: ${problem}`);
      // One outline at the top is the document.
      const [only] = tops;
      const isDocument = tops.length === 1 && only !== undefined && only.children.length > 0;
      lists.push(
        isDocument
          ? rawList({
              name: only.title || file.title,
              notes: only.notes,
              tasks: only.children,
              writtenAt: file.writtenAt,
            })
          : rawList({ name: file.title, tasks: tops, writtenAt: file.writtenAt }),
      );
    }
    return ok({ kind: 'Dynalist', lists });
  },
};
