// Every file that is exported, read again: what the table of formats does not call lost comes back as it was.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportFormat, exportFormats } from '#core/formats/export/formats.ts';
import type { ExportName } from '#core/formats/export/names.ts';
import { type Fate, isLost, type Loss, type TaskField } from '#core/formats/export/fates.ts';
import { fullNotes, type OutList, outTree, type OutTask, aboutLines } from '#core/formats/export/tree.ts';
import { storable } from '#core/formats/import/fit.ts';
import { readImport } from '#core/formats/import/read-import.ts';
import type { ImportedFile, ImportedList, ImportedTask } from '#core/formats/import/shape.ts';
import type { ExportSelection } from '#core/formats/exported.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { exportJson, printDocument } from '#core/formats/json.ts';
import { mineId } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { RepeatRule } from '#core/model.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import { SeededRandom } from '../simulator/random.ts';
import { context, bytesOf } from './files.ts';
import { PEOPLE, plainWhen, randomAccount, SCOPE } from './random-account.ts';

const SEEDS = Number(process.env['EXPORT_SEEDS'] ?? 40);
const ACCOUNT: ExportSelection = { kind: 'account' };
const MUTATIONS = Number(process.env['EXPORT_MUTATIONS'] ?? 40);
const ZONE = 'Europe/Berlin';
const READ: readonly ExportName[] = ['csv', 'opml', 'ics', 'org', 'todotxt'];

const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1);

interface ReadTask {
  readonly task: ImportedTask;
  readonly level: number;
}

/** In outline order. */
function flat(list: ImportedList): readonly ReadTask[] {
  const read: ReadTask[] = [];
  const waiting = list.tasks.toReversed().map((task) => ({ task, level: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    read.push(next);
    for (const child of next.task.children.toReversed()) waiting.push({ task: child, level: next.level + 1 });
  }
  return read;
}

const notesOf = (text: string) =>
  storable(text)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
const ruleOf = (rule: RepeatRule | null) =>
  rule === null ? null : JSON.parse(JSON.stringify({ ...rule, from: rule.from ?? 'due date' }));

interface Here {
  readonly file: ImportedFile;
  readonly hasAbout: boolean;
}

/** What is exported and what was read of a field, in comparable forms. */
const compared: Readonly<
  Record<TaskField, (out: OutTask, read: ReadTask, here: Here) => readonly [unknown, unknown]>
> = {
  title: (out, { task }) => [out.title, task.title],
  notes: (out, { task }, { hasAbout }) => [
    notesOf(hasAbout ? fullNotes(out) : out.notes),
    notesOf(task.notes),
  ],
  nesting: (out, { level }) => [out.level, level],
  done: (out, { task }) => [out.done !== null, task.done !== null],
  doneAt: (out, { task }) => [out.done, task.done?.at ?? null],
  createdAt: (out, { task }) => [out.createdAt, task.createdAt],
  due: (out, { task }) => [plainWhen(out.due), plainWhen(task.due)],
  start: (out, { task }) => [plainWhen(out.start), plainWhen(task.start)],
  snooze: (out, { task }) => [plainWhen(out.snooze), plainWhen(task.snooze)],
  repeat: (out, { task }) => [ruleOf(out.repeat), ruleOf(task.repeat)],
  duration: (out, { task }) => [out.duration, task.scalars.duration ?? null],
  labels: (out, { task }, { file }) => [
    out.labels.map(({ name }) => fold(name)).toSorted(),
    [...labelsOf(task, file).map(({ name }) => fold(name)), ...priorityOf(task)].toSorted(),
  ],
  groups: (out, { task }, { file }) => [
    out.labels.map(({ group, name }) => `${group ?? ''} ${fold(name)}`).toSorted(),
    [
      ...labelsOf(task, file).map(({ group, name }) => `${group ?? ''} ${fold(name)}`),
      ...priorityOf(task).map((name) => `Priority ${name}`),
    ].toSorted(),
  ],
  reminders: (out, { task }) => [sorted(out.reminders), sorted(task.reminders)],
  metadata: (out, { task }) => [out.metadata, task.metadata],
  isBookmarked: (out, { task }) => [out.isBookmarked, task.isBookmarked],
  isCollapsed: (out, { task }) => [out.isCollapsed, task.isCollapsed],
};

const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).toSorted();
const priorityOf = ({ priority }: ImportedTask) => (priority === null ? [] : [fold(priority)]);
const labelsOf = ({ labels }: ImportedTask, file: ImportedFile) =>
  file.labels.filter(({ key }) => labels.includes(key));

const fields = Object.keys(compared) as TaskField[];

function compareTasks(
  format: ExportName,
  out: OutList,
  { list, file, seed }: { readonly list: ImportedList; readonly file: ImportedFile; readonly seed: number },
): void {
  const { fates } = exportFormat(format);
  const read = flat(list);
  const about: Fate<never> = fates.others.about;
  const hasAbout = about !== 'kept' && (about.says === 'in the notes' || about.says === 'in a column');
  assert.equal(read.length, out.tasks.length, `${format}, seed ${seed}: tasks of ${out.name}`);
  for (const [at, task] of out.tasks.entries()) {
    const back = read[at];
    assert.ok(back);
    for (const field of fields) {
      if (isLost(fates.tasks[field], task)) continue;
      const [given, got] = compared[field](task, back, { file, hasAbout });
      assert.deepEqual(got, given, `${format}, seed ${seed}: ${field} of “${task.title}”`);
    }
  }
}

function compareList(format: ExportName, out: OutList, list: ImportedList, seed: number): void {
  const { lists: fates } = exportFormat(format).fates;
  const told = `${format}, seed ${seed}: ${out.name}`;
  assert.equal(list.isInbox, out.isInbox, told);
  if (!isLost(fates.list, out) && !out.isInbox) assert.equal(list.name, out.name, told);
  if (!isLost(fates.folders, out))
    assert.deepEqual(
      list.folders.map(({ name }) => name),
      out.folders,
      told,
    );
  if (!isLost(fates.listNotes, out)) assert.equal(notesOf(list.notes), notesOf(out.notes), told);
  if (!isLost(fates.archivedAt, out)) assert.equal(list.archivedAt, out.archivedAt, told);
  if (!isLost(fates.listBookmark, out)) assert.equal(list.isBookmarked, out.isBookmarked, told);
}

async function exportAndRead(format: ExportName, seed: number) {
  const entities = randomAccount(seed);
  const { write, extension } = exportFormat(format);
  const text = write({ entities, selection: ACCOUNT, people: PEOPLE, zone: ZONE });
  const base = context();
  const phrase = { ...base.phrase, now: Date.UTC(2028, 0, 1) };
  const read = await readImport([{ name: `Export${extension}`, bytes: bytesOf(text) }], { ...base, phrase });
  assert.ok(read.ok, read.ok ? '' : read.problem);
  return { text, file: read.value, tree: outTree(entities, ACCOUNT, PEOPLE) };
}

describe('exports, read again', () => {
  for (const format of READ)
    test(`[IMPORT-200] ${format}: what isn’t called lost comes back equal`, async () => {
      for (const seed of seeds) {
        const { file, tree } = await exportAndRead(format, seed);
        const isEmptyKept = exportFormat(format).fates.others.empty === 'kept';
        const wanted = tree.lists.filter(({ tasks }) => tasks.length > 0 || isEmptyKept);
        assert.equal(file.lists.length, wanted.length, `${format}, seed ${seed}: lists`);
        for (const [at, out] of wanted.entries()) {
          const list = file.lists[at];
          assert.ok(list);
          compareList(format, out, list, seed);
          compareTasks(format, out, { list, file, seed });
        }
      }
    });

  test('[IMPORT-201] every loss happens to somebody, so that none is called lost for nothing', async () => {
    const never: string[] = [];
    for (const format of READ) {
      const { fates } = exportFormat(format);
      for (const field of fields) {
        const fate = fates.tasks[field];
        if (fate === 'kept' || fate.when === undefined) continue;
        const { when }: Loss<OutTask> = fate;
        // A loss of others, which we read back.
        if (String(when).includes('=> false')) continue;
        const isSeen = seeds.some((seed) =>
          outTree(randomAccount(seed), ACCOUNT, PEOPLE).lists.some(({ tasks }) => tasks.some(when)),
        );
        if (!isSeen) never.push(`${format} ${field}`);
      }
    }
    assert.deepEqual(
      never.filter((one) => !one.startsWith('ics doneAt') && !one.startsWith('ics createdAt')),
      [],
    );
  });

  test('[IMPORT-202] JSON: reading and restoring is the identity', () => {
    const rules = { names: registerNames, check: checkRegister };
    for (const seed of seeds) {
      const entities = randomAccount(seed);
      const text = exportJson(entities, ACCOUNT, PEOPLE);
      const parsed = parseJson(text, rules);
      assert.ok(parsed.ok, JSON.stringify(parsed));
      assert.equal(printDocument(parsed.value), text);
      const creates = documentToCreates(parsed.value, {
        newIds: 'keep',
        makeId: () => SCOPE,
        scope: SCOPE,
        account: 1,
        people: PEOPLE,
      });
      const next = new Map<string, number>();
      const restored = creates.map(({ id, type, fields: own, parent, createdAt }) => {
        if (type === 'mount' || type === 'member') throw new Error('no content');
        const order = next.get(parent ?? '') ?? 0;
        next.set(parent ?? '', order + 1);
        const place = parent === null ? {} : { parent, key: String(order).padStart(6, '0') };
        const said = type === 'comment' ? { ...own, author: 1 } : own;
        const shared = entities.find((one) => one.id === id)?.isShared;
        return { id, type, createdAt, fields: said, ...place, ...(shared ? { isShared: shared } : {}) };
      });
      assert.equal(exportJson(restored, ACCOUNT, PEOPLE), text, `seed ${seed}`);
    }
  });

  test('[IMPORT-225] a damaged file of ours is read or refused, and never breaks the reader', async () => {
    const random = new SeededRandom(11);
    let read = 0;
    for (const format of READ) {
      const { write, extension } = exportFormat(format);
      const text = write({ entities: randomAccount(9), selection: ACCOUNT, people: PEOPLE, zone: ZONE });
      for (let turn = 0; turn < MUTATIONS; turn += 1) {
        const at = random.below(text.length);
        const end = at + random.below(40);
        const from = random.below(text.length);
        const middle = random.pick(['', '"', ',', '\n', ':', '<', '\\', '{', text.slice(from, from + 60)]);
        const damaged = text.slice(0, at) + middle + text.slice(end);
        const outcome = await readImport([{ name: `x${extension}`, bytes: bytesOf(damaged) }], context());
        if (outcome.ok) read += 1;
        else assert.ok(outcome.problem.length > 0 && outcome.problem.length < 500);
      }
    }
    assert.ok(read > MUTATIONS, 'most damage is small');
  });

  test('[IMPORT-203] the same content gives the same text, whatever the order of its rows', () => {
    for (const { name, write } of exportFormats) {
      const entities = randomAccount(7);
      const input = { selection: ACCOUNT, people: PEOPLE, zone: ZONE };
      const turned = write({ ...input, entities: entities.toReversed() });
      assert.equal(turned, write({ ...input, entities }), name);
    }
  });

  test('[IMPORT-204] a list, a folder and a task can be exported in every format', () => {
    const entities = randomAccount(3);
    const list = entities.find(({ fields: { listType } }) => listType === 'list');
    const folder = entities.find(({ fields: { listType } }) => listType === 'folder');
    const task = entities.find(({ type, fields: { del } }) => type === 'task' && del === undefined);
    assert.ok(list && folder && task);
    const title =
      String(task.fields['title'])
        .split(/[^\p{L}]/u)
        .find((word) => word.length > 1) ?? '';
    const parts: readonly ExportSelection[] = [
      { kind: 'list', root: list.id },
      { kind: 'folder', root: folder.id },
      { kind: 'task', root: task.id },
    ];
    for (const { name, write } of exportFormats)
      for (const selection of parts) {
        const text = write({ entities, selection, people: PEOPLE, zone: ZONE });
        assert.ok(text.length > 10, `${name}: ${selection.kind}`);
        if (selection.kind === 'task') assert.ok(text.includes(title), `${name}: ${title}`);
      }
  });
});

const one = (fields: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const [list] = randomAccount(1).filter(({ fields: { listType } }) => listType === 'list');
  assert.ok(list);
  const id = SCOPE;
  return [
    { ...list, fields: { ...list.fields, name: 'Work', notes: '' } },
    { id, type: 'task' as const, createdAt: 0, parent: list.id, key: 'a', fields },
    ...(Object.keys(more).length === 0
      ? []
      : [{ id: mineId(SCOPE, id), type: 'mine' as const, createdAt: 0, fields: { of: id, ...more } }]),
  ];
};

const written = (format: ExportName, fields: Record<string, unknown>, more = {}) =>
  exportFormat(format).write({ entities: one(fields, more), selection: ACCOUNT, people: PEOPLE, zone: ZONE });

describe('what is written', () => {
  test('[IMPORT-205] no cell of a table is a formula, and ours reads the cells as they were', async () => {
    for (const sign of ['=', '+', '-', '@', '\t', '\r', '＝', "'=", "''-"]) {
      const title = `${sign}cmd|' /C calc'!A0`;
      const text = written('csv', { title, notes: title });
      const cells = text.split(/[,\r\n]/).map((cell) => cell.replace(/^"/, ''));
      assert.ok(!cells.some((cell) => /^[=+\-@\t＝]/.test(cell)), text);
      const read = await readImport([{ name: 'x.csv', bytes: bytesOf(text) }], context());
      assert.ok(read.ok);
      const [task] = read.value.lists[0]?.tasks ?? [];
      assert.equal(task?.title, title.trim());
    }
  });

  test('[IMPORT-206] lines of calendars have at most 75 octets, and none is cut inside a letter', () => {
    const text = written('ics', { title: '日本語🙂'.repeat(60), notes: 'é'.repeat(200) });
    for (const line of text.split('\r\n')) {
      assert.ok(bytesOf(line).length <= 75, line);
      assert.ok(line.isWellFormed());
    }
    assert.ok(text.endsWith('END:VCALENDAR\r\n'));
  });

  test('[IMPORT-207] calendars get one RRULE where there is one, and a comment where there is none', () => {
    const due = { on: '2026-03-02' };
    const rule = { value: 2, metadata: null, from: 'due date', missed: 'skip', anchorDay: null };
    const weekly = written('ics', {
      title: 'a',
      due,
      repeat: { ...rule, unit: 'weeks', metadata: { weekdays: ['Mon', 'Thu'] } },
    });
    assert.match(weekly, /\r\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH\r\n/);
    assert.match(weekly, /\r\nDTSTART;VALUE=DATE:20260302\r\n/);
    assert.equal(weekly.match(/RRULE/g)?.length, 1);
    assert.ok(!weekly.includes('COMMENT'));
    const after = written('ics', { title: 'a', due, repeat: { ...rule, unit: 'days', from: 'completion' } });
    assert.match(after, /\r\nCOMMENT:Repeats every 2 days after completion\r\n/);
    assert.ok(!after.includes('RRULE'));
  });

  test('[IMPORT-208] a date in a zone comes with the zone, one without a zone floats, and a day is a day', () => {
    const at = Date.UTC(2026, 6, 1, 7);
    const zoned = written('ics', { title: 'a', due: { at, zone: 'Europe/Berlin' } });
    assert.match(zoned, /\r\nDUE;TZID=Europe\/Berlin:20260701T090000\r\n/);
    assert.match(zoned, /BEGIN:VTIMEZONE\r\nTZID:Europe\/Berlin\r\n/);
    assert.match(
      zoned,
      /BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:\+0100\r\nTZOFFSETTO:\+0200\r\n/,
    );
    assert.match(
      written('ics', { title: 'a', due: { local: '2026-07-01T09:00' } }),
      /\r\nDUE:20260701T090000\r\n/,
    );
    assert.match(
      written('ics', { title: 'a', due: { on: '2026-07-01' } }),
      /\r\nDUE;VALUE=DATE:20260701\r\n/,
    );
    const done = written('ics', { title: 'a', status: { done: at } });
    assert.match(done, /\r\nSTATUS:COMPLETED\r\nCOMPLETED:20260701T070000Z\r\n/);
  });

  test('[IMPORT-209] Org has planning lines with repeaters, tags, properties and notes', () => {
    const rule = {
      value: 1,
      unit: 'weeks',
      metadata: null,
      from: 'completion',
      missed: 'skip',
      anchorDay: null,
    };
    const text = written(
      'org',
      {
        title: 'Water [#A]',
        due: { local: '2026-03-02T10:00' },
        repeat: rule,
        duration: 90,
        notes: '* star',
      },
      { snooze: { on: '2026-03-01' } },
    );
    assert.match(text, /^\*+ TODO Water \[#A\]$/m);
    assert.match(text, /^DEADLINE: <2026-03-02 Mon 10:00 \.\+1w>$/m);
    assert.match(text, /^:EFFORT: 1:30$/m);
    assert.match(text, /^:SNOOZED: 2026-03-01$/m);
    assert.match(text, /^#\+BEGIN_SRC markdown\n,\* star\n#\+END_SRC$/m);
  });

  test('[IMPORT-210] Markdown has start dates, repeats, snoozes, durations, labels and notes', () => {
    const rule = {
      value: 1,
      unit: 'weeks',
      metadata: null,
      from: 'completion',
      missed: 'skip',
      anchorDay: null,
    };
    const text = written(
      'markdown',
      {
        title: 'Water',
        due: { on: '2026-03-02' },
        start: { on: '2026-03-01' },
        repeat: rule,
        duration: 90,
        notes: 'Not *much*',
      },
      { snooze: { local: '2026-03-01T08:00' } },
    );
    assert.match(
      text,
      /- \[ \] Water — due 2026-03-02 · starts 2026-03-01 · repeats every week after completion · snoozed until 2026-03-01 08:00 · 1 h 30 min/,
    );
    assert.match(text, /\n {2}Not \*much\*\n/);
  });

  test('[IMPORT-211] shared lists are in every export, and are marked where a person reads it', () => {
    const entities = randomAccount(5);
    const shared = entities.find(({ isShared }) => isShared === true);
    assert.ok(shared);
    const marks: Readonly<Record<ExportName, RegExp | null>> = {
      json: /"shared": \["/,
      markdown: /^# .*\(shared\)$/m,
      csv: /,yes,/,
      opml: /shared="true"/,
      ics: /X-SHARED=TRUE/,
      org: /^:SHARED: yes$/m,
      todotxt: null,
    };
    for (const { name, write } of exportFormats) {
      const mark = marks[name];
      const selection: ExportSelection = { kind: 'list', root: shared.id };
      const text = write({ entities, selection, people: PEOPLE, zone: ZONE });
      if (mark) assert.match(text.replaceAll('\r\n ', ''), mark, name);
      const own = entities.find((each) => each.fields['listType'] === 'list' && !each.isShared);
      assert.ok(own);
      const other = write({
        entities,
        selection: { kind: 'list', root: own.id },
        people: PEOPLE,
        zone: ZONE,
      });
      if (mark && name !== 'csv') assert.doesNotMatch(other.replaceAll('\r\n ', ''), mark, name);
    }
  });

  test('[IMPORT-212] who is assigned, comments and names of files are in the notes of formats without a place for them', async () => {
    const { tree, file } = await exportAndRead('ics', 2);
    const tasks = tree.lists.flatMap((list) => list.tasks).filter((task) => aboutLines(task).length > 0);
    assert.ok(tasks.length > 0);
    const read = file.lists.flatMap((list) => flat(list)).map(({ task }) => task.notes);
    for (const task of tasks)
      for (const line of aboutLines(task))
        assert.ok(
          read.some((notes) => notes.includes(line)),
          line,
        );
  });
});
