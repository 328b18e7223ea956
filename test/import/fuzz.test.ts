// Hostile and broken files: mutated samples of every format, archives and databases. Each gives a result that can be
// stored, or a sentence; nothing is thrown, nothing hangs. `IMPORT_FUZZ=100000 node --test test/import/fuzz.test.ts` tries
// more per format; `IMPORT_SEED` begins elsewhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { zipSync } from 'fflate';
import { parseJson } from '#core/formats/json-check.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { reminderLimits } from '#core/reminders.ts';
import { readImport } from '#core/formats/import/read-import.ts';
import type { Cell, ImportedTask, ImportInput, ImportPorts } from '#core/formats/import/shape.ts';
import { isWhen } from '#core/when.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import { repeatRuleSchema } from '#wire/values.ts';
import { bytesOf, context } from './files.ts';
import { moreSamples, ownDocument } from './more-samples.ts';
import { samples } from './samples.ts';
import { packed, ports, rule, thingsColumns, thingsFiles, thingsTables } from './things-files.ts';

const COUNT = Number(process.env['IMPORT_FUZZ'] ?? '150');
const SEED = Number(process.env['IMPORT_SEED'] ?? '1');

/** A generator of numbers below a bound, by seed. */
function generator(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const JUNK = [
  '"',
  ',',
  '\n',
  '\r',
  '\0',
  '<',
  '>',
  '&',
  '&#x110000;',
  '{',
  '}',
  '[',
  ']',
  'null',
  '-1',
  '1e999',
  '99999999999999999999',
  '0001-01-01',
  '9999-12-31T23:59:59Z',
  '20260230T250000Z',
  '\uD800',
  '\u{1F9EF}',
  '\uFEFF',
  'every',
  'until',
  '__proto__',
  'constructor',
  'FREQ=YEARLY;COUNT=3',
  'P99999W',
  '\t\t\t\t',
  '    ',
  ' @',
  '#',
  '[[file {"',
  ']]',
  '!(2026-12-01',
  '<time startYear="9999" startMonth="12" startDay="31">',
  'America/Nowhere',
];

function mutated(text: string, next: (below: number) => number): string {
  let out = text;
  for (let step = next(6) + 1; step > 0; step -= 1) {
    const at = next(out.length + 1);
    const length = next(4) === 0 ? next(200) : next(4);
    const kind = next(5);
    if (kind === 0) out = out.slice(0, at) + out.slice(at + length);
    else if (kind === 1) out = out.slice(0, at) + (JUNK[next(JUNK.length)] ?? '') + out.slice(at);
    else if (kind === 2) out = out.slice(0, at) + out.slice(at, at + length).repeat(next(20)) + out.slice(at);
    else if (kind === 3) out = out.slice(0, at) + String.fromCharCode(next(0x2_000)) + out.slice(at + 1);
    else out = out.slice(0, at) + out.slice(next(out.length + 1));
  }
  return out;
}

function mutatedBytes(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const out = bytes.slice(0, next(8) === 0 ? next(bytes.length) : bytes.length);
  for (let step = next(20) + 1; step > 0 && out.length > 0; step -= 1) {
    const at = next(3) === 0 ? next(Math.min(out.length, 200)) : next(out.length);
    out[at] = next(2) === 0 ? next(256) : (out[at] ?? 0) ^ (1 << next(8));
  }
  return out;
}

/** A soak says how far it is. */
function told(name: string, counts: { readonly read: number; readonly refused: number }): void {
  if (COUNT >= 1_000)
    process.stderr.write(`${name}: ${COUNT} files, ${counts.read} read, ${counts.refused} refused\n`);
}

/** What a task must be, so that it can be stored. */
function check(task: ImportedTask, level: number, now: number): void {
  assert.ok([...task.title].length <= limits.titleCodePoints);
  assert.ok(!/[\n\r\0\uFFFF]/.test(task.title) && task.title.isWellFormed(), JSON.stringify(task.title));
  assert.ok(!/[\r\0]/.test(task.notes) && task.notes.isWellFormed());
  assert.ok(task.notes.length <= limits.notesBytes);
  for (const when of [task.due, task.start]) assert.ok(when === null || isWhen(when), JSON.stringify(when));
  for (const at of [task.done?.at ?? null, task.createdAt])
    assert.ok(at === null || (Number.isInteger(at) && at <= now));
  if (task.repeat !== null) {
    assert.ok(repeatRuleSchema.safeParse(task.repeat).success, JSON.stringify(task.repeat));
    assert.ok(task.due !== null || task.start !== null);
  }
  for (const reminder of task.reminders)
    assert.ok('when' in reminder ? isWhen(reminder.when) : reminder.before <= reminderLimits.beforeMinutes);
  for (const value of Object.values(task.metadata))
    assert.ok(value.length <= limits.metadataCharacters && value !== '');
  assert.ok(level <= limits.depth);
}

async function tryFiles(files: readonly ImportInput[], by = ports): Promise<'read' | 'refused'> {
  const given = context(by);
  const read = await readImport(files, given);
  if (!read.ok) {
    assert.ok(read.problem.length > 0);
    return 'refused';
  }
  const ids = new Set<string>();
  const keys = new Set(read.value.labels.map(({ key }) => key));
  for (const list of read.value.lists) {
    assert.ok(list.name !== '' && [...list.name].length <= limits.nameCodePoints);
    const waiting = list.tasks.map((task) => ({ task, level: 1 }));
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { task, level } = next;
      check(task, level, given.phrase.now);
      assert.ok(task.id === null || !ids.has(task.id));
      if (task.id !== null) ids.add(task.id);
      for (const key of task.labels) assert.ok(keys.has(key));
      for (const child of task.children) waiting.push({ task: child, level: level + 1 });
    }
  }
  return 'read';
}

describe(`mutated files (seed ${SEED}, ${COUNT} of each)`, () => {
  for (const [name, text] of Object.entries({ ...samples, ...moreSamples }))
    test(name, async () => {
      const next = generator(SEED);
      const counts = { read: 0, refused: 0 };
      for (let index = 0; index < COUNT; index += 1) {
        const bytes = bytesOf(mutated(text, next));
        const file = { name, bytes: next(10) === 0 ? mutatedBytes(bytes, next) : bytes };
        try {
          counts[await tryFiles([file])] += 1;
        } catch (error) {
          throw new Error(
            `seed ${SEED}, file ${index}: ${JSON.stringify(new TextDecoder().decode(file.bytes)).slice(0, 3_000)}`,
            { cause: error },
          );
        }
      }
      told(name, counts);
      assert.ok(counts.read > COUNT / 10, JSON.stringify(counts));
    });

  const tables = {
    TMTask: [
      {
        uuid: 'T',
        title: 'T',
        type: 0,
        status: 0,
        start: 2,
        rt1_recurrenceRule: rule({ fu: '<integer>16</integer>', fa: '<integer>1</integer>' }),
      },
      {
        uuid: 'a',
        title: 'a',
        type: 0,
        status: 0,
        deadline: packed(2026, 12, 1),
        rt1_repeatingTemplate: 'T',
      },
      { uuid: 'P', title: 'P', type: 1, status: 0 },
      {
        uuid: 'b',
        title: 'b',
        type: 0,
        status: 3,
        stopDate: 1767312000,
        project: 'P',
        notes: 'x'.repeat(300),
      },
    ],
  };

  test('the database of Things, with its log', async () => {
    const next = generator(SEED);
    const { main, log } = thingsFiles(tables, {
      logged: { TMTask: [{ uuid: 'c', title: 'c', type: 0, status: 0 }] },
    });
    assert.ok(log);
    const counts = { read: 0, refused: 0 };
    for (let index = 0; index < COUNT; index += 1) {
      const files = [
        { name: 'main.sqlite', bytes: next(2) === 0 ? main : mutatedBytes(main, next) },
        { name: 'main.sqlite-wal', bytes: next(2) === 0 ? log : mutatedBytes(log, next) },
      ];
      counts[await tryFiles(files)] += 1;
    }
    told('the database of Things, with its log', counts);
    assert.ok(counts.read > COUNT / 10, JSON.stringify(counts));
  });

  test('a database of Things with any values in its rows', async () => {
    const next = generator(SEED);
    const { main } = thingsFiles({});
    const ids = ['T', 'P', 'H', 'a', 'b', 'c', 'd'];
    const any = (): Cell => {
      const odd = [null, 0, 1, 2, 3, -1, 0.5, 2 ** next(64), -(2 ** next(64)), Infinity, 10n ** 20n];
      const kind = next(5);
      if (kind === 0) return JUNK[next(JUNK.length)] ?? '';
      if (kind === 1) return ids[next(ids.length)] ?? '';
      if (kind === 2) return mutatedBytes(rule({ fu: `<integer>${2 ** next(33)}</integer>` }), next);
      if (kind === 3) return packed(next(4_000), next(16), next(32));
      return odd[next(odd.length)] ?? null;
    };
    const row = (columns: readonly string[], sound: Readonly<Record<string, Cell>>) =>
      Object.fromEntries(
        columns.map((name) => [name, next(3) === 0 ? any() : (sound[name] ?? null)] as const),
      );
    const answer = (statement: string): readonly Readonly<Record<string, Cell>>[] => {
      if (statement.includes('sqlite_master'))
        return thingsTables.map((name) => ({ name, type: 'table', sql: `CREATE TABLE ${name}` }));
      const columns = [...statement.matchAll(/(?:"|AS )(\w+)"?(?=,| FROM)/g)].map(([, name = '']) => name);
      if (statement.startsWith('PRAGMA')) return thingsColumns.map((name) => ({ name }));
      return ids.map((uuid, at) =>
        row(columns, { uuid, title: uuid, type: at % 3, status: 0, start: at % 3, position: at, trashed: 0 }),
      );
    };
    const by: ImportPorts = {
      openDatabase: () => Promise.resolve({ rows: answer, close: () => undefined }),
    };
    for (let index = 0; index < COUNT; index += 1)
      assert.equal(
        await tryFiles([{ name: 'main.sqlite', bytes: main }], by),
        'read',
        `seed ${SEED}, file ${index}`,
      );
    told('a database of Things with any values in its rows', { read: COUNT, refused: 0 });
  });

  test('our own JSON', () => {
    const next = generator(SEED);
    const text = ownDocument();
    const counts = { read: 0, refused: 0 };
    const scope = '0190c000-0000-7000-8000-0000000000ff' as Id;
    for (let index = 0; index < COUNT; index += 1) {
      const given = mutated(text, next);
      const parsed = parseJson(given, { names: registerNames, check: checkRegister });
      if (!parsed.ok) {
        assert.ok(parsed.problem.length > 0);
        counts.refused += 1;
        continue;
      }
      counts.read += 1;
      let made = 0;
      const makeId = () => `0190c000-0000-7000-9000-${String((made += 1)).padStart(12, '0')}` as Id;
      const people = new Map<number, string>();
      const creates = documentToCreates(parsed.value, { newIds: 'fresh', makeId, scope, account: 1, people });
      const known = new Set<Id>([listsRoot(scope), labelsRoot(scope), inboxId(scope)]);
      for (const { id, type, fields, parent } of creates) {
        assert.ok(
          parent === null || known.has(parent),
          `seed ${SEED}, file ${index}: ${type} before its parent`,
        );
        known.add(id);
        // Fields of newer programs are kept.
        const names = new Set(registerNames(type));
        for (const [name, value] of Object.entries(fields).filter(([name]) => names.has(name)))
          assert.equal(checkRegister(type, name, value), null, `seed ${SEED}, file ${index}: ${name}`);
      }
    }
    told('our own JSON', counts);
    assert.ok(counts.read > COUNT / 50, JSON.stringify(counts));
  });

  test('archives', async () => {
    const next = generator(SEED);
    const zip = zipSync({
      'a.csv': bytesOf(samples['Todoist.csv'] ?? ''),
      'b/c.json': bytesOf(samples['trello.json'] ?? ''),
    });
    const counts = { read: 0, refused: 0 };
    for (let index = 0; index < COUNT; index += 1)
      counts[await tryFiles([{ name: 'a.zip', bytes: mutatedBytes(zip, next) }])] += 1;
    told('archives', counts);
    assert.ok(counts.read > COUNT / 20, JSON.stringify(counts));
  });
});

describe('hostile files', () => {
  const problem = async (name: string, bytes: Uint8Array) => {
    const read = await readImport([{ name, bytes }], context(ports));
    return read.ok ? null : read.problem;
  };

  test('an archive that unpacks to too much is refused before it is unpacked', async () => {
    const zeros = zipSync({ 'a.csv': new Uint8Array(4_000_000) });
    assert.match((await problem('a.zip', zeros)) ?? '', /200 times/);
    const lies = zeros.slice();
    const view = new DataView(lies.buffer);
    const central = view.getUint32(lies.length - 6, true);
    view.setUint32(central + 24, 0xfffffff0, true);
    assert.match((await problem('a.zip', lies)) ?? '', /1 GB/);
    // Less than it holds: not more than that is unpacked.
    view.setUint32(central + 24, 10, true);
    assert.match((await problem('a.zip', lies)) ?? '', /no file|is empty/);
  });

  test('too many entries, passwords, archives in archives', async () => {
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`${at}.csv`, new Uint8Array(1)])),
    );
    assert.match((await problem('a.zip', many)) ?? '', /more than 5000 files/);
    const locked = zipSync({ 'a.csv': bytesOf('title\nx') });
    const view = new DataView(locked.buffer);
    view.setUint16(view.getUint32(locked.length - 6, true) + 8, 1, true);
    assert.match((await problem('a.zip', locked)) ?? '', /password/);
    const inner = (bytes: Uint8Array) => zipSync({ 'a.zip': bytes });
    assert.match((await problem('a.zip', inner(inner(inner(locked))))) ?? '', /archive in an archive/);
  });

  test('words that every object has are no words of a table', async () => {
    const words = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    for (const word of words) {
      const texts = [
        `title,due,time zone,priority\na,2026-12-01 10:00,${word},${word}`,
        JSON.stringify([
          {
            uuid: 'a',
            description: 'a',
            status: 'pending',
            entry: '20260101T000000Z',
            priority: word,
            recur: word,
          },
        ]),
        `BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\nDUE;TZID=${word}:20261201T100000\nRRULE:FREQ=${word};BYDAY=${word}\nEND:VTODO\nEND:VCALENDAR`,
        `<opml><head><ownerEmail/></head><body><outline text="a &amp;${word}; &lt;${word}&gt;b&lt;/${word}&gt;"/></body></opml>`,
        (samples['microsoft.json'] ?? '').replaceAll('monday', word),
        (samples['TickTick.csv'] ?? '').replaceAll('Europe/Berlin', word),
      ];
      for (const text of texts) assert.equal(await tryFiles([{ name: 'a', bytes: bytesOf(text) }]), 'read');
    }
  });

  test('a reminder at a moment that does not exist is left out and counted', async () => {
    const text = (samples['TickTick.csv'] ?? '').replaceAll('P0DT9H0M0S', 'P0DT99H0M0S');
    assert.notEqual(text, samples['TickTick.csv']);
    assert.equal(await tryFiles([{ name: 'a.csv', bytes: bytesOf(text) }]), 'read');
  });

  test('any depth ends at the deepest level', async () => {
    const deep = 30_000;
    const opml = `<opml><body>${'<outline text="a">'.repeat(deep)}${'</outline>'.repeat(deep)}</body></opml>`;
    assert.equal(await tryFiles([{ name: 'a.opml', bytes: bytesOf(opml) }]), 'read');
    const items = Array.from({ length: deep }, (_, at) => ({
      id: `${at}`,
      project_id: 'p',
      content: 'a',
      parent_id: at === 0 ? null : `${at - 1}`,
    }));
    assert.equal(
      await tryFiles([{ name: 'a.json', bytes: bytesOf(JSON.stringify({ items, projects: [] })) }]),
      'read',
    );
    const nodes = `${'[{"id":"a","nm":"a","ch":'.repeat(5_000)}[]${'}]'.repeat(5_000)}`;
    assert.equal(await tryFiles([{ name: 'a.json', bytes: bytesOf(nodes) }]), 'read');
  });

  test('what makes careless patterns slow is read', async () => {
    const long = [
      `TYPE,CONTENT,PRIORITY,INDENT\ntask,"${'[a]('.repeat(50_000)}",4,1`,
      `TYPE,CONTENT,PRIORITY,INDENT\ntask,"${'*a '.repeat(50_000)}",4,1`,
      `TYPE,CONTENT,PRIORITY,INDENT\ntask,"${' @a'.repeat(50_000)}",4,1`,
      `<opml><head><ownerEmail/></head><body><outline text="${' #a'.repeat(50_000)} x"/></body></opml>`,
      `<opml><head><ownerEmail/></head><body><outline text="${'&lt;b&gt;'.repeat(50_000)}"/></body></opml>`,
      `BEGIN:VCALENDAR\n${'BEGIN:VTODO\nSUMMARY:a\n'.repeat(20_000)}`,
      `- [ ] a 📅 2026-12-01${' #a'.repeat(50_000)}`,
      `* TODO a${' :a'.repeat(50_000)}\nDEADLINE: <2026-12-01${' +'.repeat(50_000)}`,
      `- a @due(2026-01-01)${' @a('.repeat(50_000)}`,
    ];
    for (const text of long) assert.equal(await tryFiles([{ name: 'a.txt', bytes: bytesOf(text) }]), 'read');
  });
});
