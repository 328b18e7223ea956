// For tests: thousands of tasks as three programs write them, with the traps of their formats mixed by a seed, and what has to come of
// them. Made from the facts of the formats, not with their readers.
import { strToU8, zipSync } from 'fflate';
import { packed, thingsFiles, type Values } from './things-files.ts';

const COUNT = 3_000;
/** Seconds of a day in 2026. */
const DONE_AT = 1_767_398_400;

/** What a task has to be here. */
export interface Wanted {
  readonly title: string;
  /** Title of the task above, or name of the list. */
  readonly under: string;
  readonly notes: RegExp | null;
  readonly due: string | null;
  readonly isDone: boolean;
  readonly labels: readonly string[];
}

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Files, and the tasks that come of them. */
export interface Made {
  readonly files: readonly (readonly [name: string, content: string | Uint8Array])[];
  readonly wanted: readonly Wanted[];
}

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A backup of Todoist: tables of projects, with byte order marks, separator rows, comments, sections, jumps of levels. */
function todoistBackup(): Made {
  const next = generator(1);
  const wanted: Wanted[] = [];
  const files: Record<string, Uint8Array> = {};
  for (let project = 0; project < 10; project += 1) {
    const name = `Project ${project} “ä”`;
    const rows = [
      '\uFEFFTYPE,CONTENT,DESCRIPTION,IS_COLLAPSED,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG',
      'meta,view_style=list,,,,,,,,,,,,,',
    ];
    let above = [name];
    let section = name;
    for (let at = 0; at < COUNT / 10; at += 1) {
      if (at % 60 === 30) {
        section = `Section ${project}.${at}`;
        rows.push(`section,${section},,False,,,,,,,,,,,`);
        wanted.push({ title: section, under: name, notes: null, due: null, isDone: false, labels: [] });
        above = [section];
      }
      const title = `Task ${project}.${at} ${['plain', 'with, comma', 'with "quotes"', 'a@example.org'][next(4)]}`;
      const asked = 1 + next(4);
      const level = Math.min(asked, above.length);
      const due = next(3) === 0 ? '2031-05-06' : null;
      const priority = 1 + next(4);
      const label = next(2) === 0 ? 'errand' : null;
      const notes = next(4) === 0 ? 'First line\nsecond, "line"' : '';
      const content = `${title}${label === null ? '' : ` @${label}`}`;
      rows.push(
        `task,${cell(content)},${cell(notes)},,${priority},${asked},Ann (1),,${due ?? ''},en,Europe/Berlin,,,,`,
        ',,,,,,,,,,,,,,',
      );
      const comment = next(10) === 0;
      if (comment) rows.push('note,A comment,,,,,Ann (1),,2026-01-01T10:00:00Z,,,,,,');
      wanted.push({
        title,
        under: above[level - 1] ?? section,
        notes: comment ? /A comment/ : notes === '' ? null : /First line\nsecond, "line"/,
        due,
        isDone: false,
        labels: [...(label === null ? [] : [label]), ...(priority < 4 ? [`p${priority}`] : [])],
      });
      above = [...above.slice(0, level), title];
    }
    files[`${name} [6Crg8jQ886Wh4P5${project}].csv`] = strToU8(rows.join('\r\n'));
  }
  return { files: [['Todoist backup 2026-08-12 2248 UTC.zip', zipSync(files)]], wanted };
}

/** A database of Things, its last rows only in the log. */
function thingsDatabase(isOld: boolean): Made {
  const next = generator(isOld ? 2 : 3);
  const wanted: Wanted[] = [];
  const tasks: Values[] = [];
  const logged: Values[] = [];
  const tags: Values[] = [];
  const items: Values[] = [];
  const midnight = Date.UTC(2031, 4, 6) / 1_000;
  const day = isOld ? midnight : packed(2031, 5, 6);
  const none = isOld ? -62_135_769_600 : 69_760;
  const deadline = isOld ? 'dueDate' : 'deadline';
  const heading = isOld ? 'actionGroup' : 'heading';
  for (let project = 0; project < 10; project += 1) {
    const name = `Project ${project}`;
    tasks.push({
      uuid: `p${project}`,
      title: name,
      type: 1,
      status: 0,
      trashed: project === 9 ? 1 : 0,
      index: project,
    });
    tasks.push({
      uuid: `h${project}`,
      title: `Heading ${project}`,
      type: 2,
      status: 0,
      trashed: 0,
      project: `p${project}`,
      index: 0,
    });
    if (project !== 9)
      wanted.push({
        title: `Heading ${project}`,
        under: name,
        notes: null,
        due: null,
        isDone: false,
        labels: [],
      });
    for (let at = 0; at < COUNT / 10; at += 1) {
      const uuid = `t${project}.${at}`;
      const isUnder = next(2) === 0;
      const status = [0, 0, 0, 3, 2][next(5)] ?? 0;
      const due = next(3) === 0;
      const isTrashed = next(20) === 0;
      const isTagged = next(3) === 0;
      const notes = next(4) === 0;
      const row: Values = {
        uuid,
        title: `Task ${project}.${at}`,
        notes: notes ? 'Two\nlines & <more>' : '',
        type: 0,
        status,
        stopDate: status === 0 ? null : DONE_AT + 0.5,
        creationDate: DONE_AT - 86_400,
        trashed: isTrashed ? 1 : 0,
        project: isUnder ? null : `p${project}`,
        [heading]: isUnder ? `h${project}` : null,
        index: at - 100,
        start: 1,
        startDate: none,
        [deadline]: due ? day : none,
      };
      (at % 7 === 0 ? logged : tasks).push(row);
      if (isTagged) tags.push({ tasks: uuid, tags: 'tag' });
      const hasItem = next(10) === 0;
      if (hasItem)
        items.push({ uuid: `i${uuid}`, task: uuid, title: `Item ${project}.${at}`, status: 0, index: 0 });
      if (isTrashed || project === 9) continue;
      wanted.push({
        title: `Task ${project}.${at}`,
        under: isUnder ? `Heading ${project}` : name,
        notes: notes ? /Two\nlines & <more>/ : null,
        due: due ? '2031-05-06' : null,
        isDone: status !== 0,
        labels: [...(status === 2 ? ['cancelled'] : []), ...(isTagged ? ['errand'] : [])],
      });
      if (hasItem)
        wanted.push({
          title: `Item ${project}.${at}`,
          under: `Task ${project}.${at}`,
          notes: null,
          due: null,
          isDone: false,
          labels: [],
        });
    }
  }
  const { main, log } = thingsFiles(
    {
      TMTask: tasks,
      TMTag: [{ uuid: 'tag', title: 'errand', index: 0 }],
      TMTaskTag: tags,
      TMChecklistItem: items,
    },
    { isOld, logged: { TMTask: logged } },
  );
  const folder = 'Things Database.thingsdatabase';
  return {
    files: [
      [`${folder}/main.sqlite`, main],
      [`${folder}/main.sqlite-wal`, log ?? new Uint8Array()],
    ],
    wanted,
  };
}

/** A tree of Workflowy: two layers of escapes, formatting left open, dates in attributes, labels, notes of lines. */
function workflowyOutline(): Made {
  const next = generator(4);
  const wanted: Wanted[] = [];
  let body = '';
  for (let top = 0; top < 30; top += 1) {
    const name = `Area ${top}`;
    body += `<outline text="${name}">`;
    wanted.push({ title: name, under: 'Plan', notes: null, due: null, isDone: false, labels: [] });
    for (let at = 0; at < COUNT / 30; at += 1) {
      const title = `Item ${top}.${at}`;
      const due = next(3) === 0;
      const isDone = next(4) === 0;
      const hasNote = next(4) === 0;
      const isTagged = next(3) === 0;
      const form = ['', '&lt;b&gt;', '&lt;i&gt;'][next(3)] ?? '';
      const time = due
        ? ' &lt;time startYear=&quot;2031&quot; startMonth=&quot;5&quot; startDay=&quot;6&quot;&gt;May 6&lt;/time&gt;'
        : '';
      body += `<outline text="${form}${title}${isTagged ? ' #errand' : ''}${time}"${isDone ? ' _complete="true"' : ''}${hasNote ? ' _note="One &amp;amp; two&#10;three&#10;"' : ''} />`;
      wanted.push({
        title,
        under: name,
        notes: hasNote ? /One & two\nthree/ : null,
        due: due ? '2031-05-06' : null,
        isDone,
        labels: isTagged ? ['errand'] : [],
      });
    }
    body += '</outline>';
  }
  const opml = `<?xml version="1.0"?>\n<opml version="2.0">\n  <head>\n    <ownerEmail>\n      ann@example.org\n    </ownerEmail>\n  </head>\n  <body>${body}</body>\n</opml>\n`;
  return { files: [['Plan.opml', opml]], wanted };
}

/** By what a person calls it. */
export const thousands: Readonly<Record<string, () => Made>> = {
  'a backup of Todoist': todoistBackup,
  'a database of Things': () => thingsDatabase(false),
  'an older database of Things': () => thingsDatabase(true),
  'an outline of Workflowy': workflowyOutline,
};
