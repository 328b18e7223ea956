// Files of other programs with many tasks each, as the programs write them: for the figures about imports.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strToU8, zipSync } from 'fflate';

/** A file with its name. */
export interface LargeFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Tasks of one list of them. */
const PER_LIST = 1_000;
const HEADER =
  'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG';

/** A backup of Todoist: a table for each project, with subtasks, labels, priorities, dates, repeats, notes and comments. */
function todoist(tasks: number): LargeFile {
  const files: Record<string, Uint8Array> = {};
  for (let list = 0; list * PER_LIST < tasks; list += 1) {
    const rows = [HEADER];
    for (let at = 0; at < PER_LIST; at += 1) {
      const due = at % 4 === 0 ? (at % 8 === 0 ? 'every monday' : '2031-03-01') : '';
      const labels = at % 2 === 0 ? ' @errand' : '';
      const notes = at % 5 === 0 ? '"Two lines\nof **words**"' : '';
      rows.push(
        `task,Write the part ${list}.${at} of the *report*${labels},${notes},${1 + (at % 4)},${1 + (at % 3)},,,${due},en,Europe/Berlin,,,,`,
      );
      if (at % 10 === 0)
        rows.push('note,"See https://example.test/a",,,,Ann (1),,2026-01-01T10:00:00Z,,,,,,');
    }
    files[`Project ${list} [${220_474_322 + list}].csv`] = strToU8(rows.join('\n'));
  }
  return { name: 'Todoist backup 2026-08-12 2248 UTC.zip', bytes: zipSync(files, { level: 1 }) };
}

/** A database of Things in its newer schema, with areas, projects, headings, tags and checklists. */
function things(tasks: number): LargeFile {
  const folder = mkdtempSync(join(tmpdir(), 'bench-things-'));
  const path = join(folder, 'main.sqlite');
  const database = new DatabaseSync(path);
  try {
    database.exec(`CREATE TABLE TMTask (uuid TEXT PRIMARY KEY, title TEXT, notes TEXT, type INTEGER, status INTEGER,
        stopDate REAL, creationDate REAL, trashed INTEGER, project TEXT, area TEXT, heading TEXT, "index" INTEGER,
        start INTEGER, startDate INTEGER, startBucket INTEGER, deadline INTEGER, reminderTime INTEGER,
        rt1_repeatingTemplate TEXT, rt1_recurrenceRule BLOB, rt1_nextInstanceStartDate INTEGER,
        rt1_instanceCreationPaused INTEGER);
      CREATE TABLE TMArea (uuid TEXT, title TEXT, "index" INTEGER);
      CREATE TABLE TMTag (uuid TEXT, title TEXT, shortcut TEXT, parent TEXT, "index" INTEGER);
      CREATE TABLE TMTaskTag (tasks TEXT, tags TEXT);
      CREATE TABLE TMChecklistItem (uuid TEXT, task TEXT, title TEXT, status INTEGER, stopDate REAL, creationDate REAL, "index" INTEGER);
      INSERT INTO TMTag VALUES ('tag', 'errand', NULL, NULL, 1);
      BEGIN`);
    const area = database.prepare('INSERT INTO TMArea VALUES (?, ?, ?)');
    const task = database.prepare(
      `INSERT INTO TMTask (uuid, title, notes, type, status, stopDate, creationDate, trashed, project, area, heading, "index", start, startDate, deadline)
       VALUES (?, ?, ?, ?, ?, ?, 1767312000, 0, ?, ?, ?, ?, 1, ?, ?)`,
    );
    const tag = database.prepare("INSERT INTO TMTaskTag VALUES (?, 'tag')");
    const item = database.prepare(
      "INSERT INTO TMChecklistItem VALUES (?, ?, 'Buy it', 0, NULL, 1767312000, 1)",
    );
    const day = (2026 << 16) | (12 << 12) | (1 << 7);
    let made = 0;
    for (let list = 0; made < tasks; list += 1) {
      if (list % 10 === 0) area.run(`area${list}`, `Area ${list}`, list);
      task.run(
        `project${list}`,
        `Project ${list}`,
        '',
        1,
        0,
        null,
        null,
        `area${list - (list % 10)}`,
        null,
        list,
        null,
        null,
      );
      for (let at = 0; at < PER_LIST && made < tasks; at += 1) {
        const uuid = `task${list}.${at}`;
        const isDone = at % 7 === 0;
        const notes = at % 5 === 0 ? 'Two lines\nof words' : '';
        task.run(
          uuid,
          `Write the part ${list}.${at}`,
          notes,
          0,
          isDone ? 3 : 0,
          isDone ? 1767398400 : null,
          `project${list}`,
          null,
          null,
          at,
          at % 4 === 0 ? day : null,
          at % 6 === 0 ? day + 128 : null,
        );
        made += 1;
        if (at % 2 === 0) tag.run(uuid);
        if (at % 9 === 0 && made < tasks) {
          item.run(`item${list}.${at}`, uuid);
          made += 1;
        }
      }
    }
    database.exec('COMMIT');
    database.close();
    return { name: 'main.sqlite', bytes: readFileSync(path) };
  } finally {
    if (database.isOpen) database.close();
    rmSync(folder, { recursive: true });
  }
}

/** A backup of Workflowy: a tree with formatting, notes, dates and completed items. */
function workflowy(tasks: number): LargeFile {
  const tops: object[] = [];
  let made = 0;
  const id = () => {
    made += 1;
    return `${String(made).padStart(8, '0')}-1111-4222-8333-444455556666`;
  };
  while (made < tasks) {
    const ch: object[] = [];
    tops.push({ id: id(), nm: `Area ${tops.length}`, ct: 1, lm: 2, ch });
    for (let at = 1; at < PER_LIST && made < tasks; at += 1) {
      const node = {
        id: id(),
        nm:
          at % 6 === 0
            ? `Call <b>Ann</b> <time startYear="2026" startMonth="12" startDay="1">Dec 1</time> #errand`
            : `Write &amp; send the part ${at}`,
        ...(at % 5 === 0 ? { no: 'Two lines\nof <i>words</i>' } : {}),
        ct: at,
        lm: at + 5,
        ...(at % 7 === 0 ? { cp: at + 5 } : {}),
      };
      const children: object[] = [];
      ch.push(at % 4 === 0 ? { ...node, ch: children } : node);
      if (at % 4 === 0 && made < tasks) children.push({ id: id(), nm: 'Below', ct: 1, lm: 2 });
    }
  }
  return { name: 'ann.workflowy.backup', bytes: strToU8(JSON.stringify(tops)) };
}

/** What makes the files, by the name of the program. */
export const largeFiles: Readonly<Record<string, (tasks: number) => LargeFile>> = {
  todoist,
  things,
  workflowy,
};
