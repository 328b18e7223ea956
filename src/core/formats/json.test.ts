// Rules FMT-10 … FMT-15 of docs/rules/tasks.md. What registers hold is checked by a small twin here; the real rules
// and the size gates are in test/formats.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  completionId,
  deriveId,
  inboxId,
  labelsRoot,
  listsRoot,
  mineId,
  settingId,
  type Id,
} from '../ids.ts';
import type { EntityType } from '../model.ts';
import { exportedOf, type ExportedEntity, type ExportedFields, type ExportSelection } from './exported.ts';
import { parseJson, type ParsedDocument, type RegisterRules } from './json-check.ts';
import { documentToCreates, type CreateOptions } from './json-import.ts';
import { exportJson, printDocument, type ExportDocument } from './json.ts';

const SCOPE = deriveId('scope');
const id = (name: string): Id => deriveId('test', name);

const registers: Partial<Record<EntityType, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  task: { title: (value) => typeof value === 'string', notes: (value) => typeof value === 'string' },
  list: { listType: (value) => typeof value === 'string', name: (value) => typeof value === 'string' },
  mine: { of: (value) => typeof value === 'string' },
};
const rules: RegisterRules = {
  names: (type) => Object.keys(registers[type] ?? {}),
  check(type, register, value) {
    if (value === null)
      return register === 'listType' || register === 'of' ? `${register} is required` : null;
    return (registers[type]?.[register]?.(value) ?? true) ? null : `${register} is not right`;
  },
};

function entity(
  type: ExportedEntity['type'],
  name: string,
  parent: Id | null,
  more: ExportedFields & { key?: string } = {},
): ExportedEntity {
  const { key = 'a0', ...fields } = more;
  return { id: id(name), type, createdAt: 1_000, ...(parent === null ? {} : { parent, key }), fields };
}

/** A small account: folder Home > list Garden > task Dig > task Deeper; a label in a group; what is one's own. */
const account: readonly ExportedEntity[] = [
  entity('task', 'deeper', id('dig'), { title: 'Deeper', notes: 'a\nb', [`label:${id('label')}`]: true }),
  entity('task', 'dig', id('garden'), {
    title: 'Dig',
    key: 'a1',
    repeat: { value: 1, unit: 'days' },
    due: { on: '2026-11-27' },
  }),
  entity('task', 'plant', id('garden'), { title: 'Plant', key: 'a0', status: { done: 5, cleared: 6 } }),
  entity('list', 'garden', id('home'), { name: 'Garden', listType: 'list' }),
  entity('list', 'home', listsRoot(SCOPE), { name: 'Home', listType: 'folder', key: 'a1' }),
  { ...entity('list', 'inbox', listsRoot(SCOPE), { listType: 'inbox', key: 'a0' }), id: inboxId(SCOPE) },
  entity('task', 'loose', inboxId(SCOPE), { title: 'Loose' }),
  entity('labelGroup', 'group', labelsRoot(SCOPE), { name: 'Places' }),
  entity('label', 'label', id('group'), { name: 'Shed', color: '#aabbcc' }),
  entity('label', 'unused', labelsRoot(SCOPE), { name: 'Unused', key: 'a2' }),
  {
    ...entity('mine', 'mine', null, { of: id('dig'), bookmarkedAt: 7, snoozeCount: 2 }),
    id: mineId(SCOPE, id('dig')),
  },
  {
    ...entity('completion', 'completion', null, { task: id('dig'), occ: 0, at: 9, title: 'Dig' }),
    id: completionId(id('dig'), 0),
  },
  entity('attachment', 'file', id('plant'), { name: 'plan.pdf', hash: 'ab' }),
  {
    id: settingId(SCOPE, 'theme'),
    type: 'setting',
    createdAt: 1,
    fields: { key: 'theme', value: { b: 1, a: [1, null] } },
  },
];

function read(text: string): ExportDocument {
  const parsed = parseJson(text, rules);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value;
}

function problemsOf(parsed: ParsedDocument): string[] {
  return parsed.ok ? [] : parsed.problem.map(({ path, message }) => `${path}: ${message}`);
}

const whole: ExportSelection = { kind: 'account' };

/** Distinct keys again from positions, so that a document can be exported as if it were stored. */
function toEntities(document: ExportDocument): ExportedEntity[] {
  return document.entities.map(({ id: own, type, createdAt, parent, order, fields }) => ({
    id: own,
    type,
    createdAt,
    ...(parent === undefined ? {} : { parent, key: `a${String(order).padStart(6, '0')}` }),
    fields,
  }));
}

describe('exporting JSON', () => {
  test('[FMT-10] holds every register as it is', () => {
    const document = read(exportJson(account, whole));
    assert.equal(document.entities.length, account.length);
    for (const one of account) {
      const found = document.entities.find((other) => other.id === one.id);
      assert.deepEqual(found?.fields, one.fields);
      assert.equal(found?.parent, one.parent);
      assert.equal(found?.createdAt, one.createdAt);
    }
  });

  test('[FMT-10] splits a stored row into its place and the other registers', () => {
    const row = {
      id: id('x'),
      type: 'task',
      createdAt: 3,
      fields: { place: { parent: id('p'), key: 'a3' }, title: 'X' },
    } as const;
    assert.deepEqual(exportedOf([row])[0], {
      id: id('x'),
      type: 'task',
      createdAt: 3,
      parent: id('p'),
      key: 'a3',
      fields: { title: 'X' },
    });
    const placeless = { id: id('x'), type: 'mine', createdAt: 3, fields: { of: id('p') } } as const;
    assert.deepEqual(exportedOf([placeless]), [placeless]);
  });

  test('[FMT-11] equal content is equal text, whatever the order, the order keys and the absent defaults', () => {
    const text = exportJson(account, whole);
    const rekeyed = account.map((one) => ({
      ...one,
      ...(one.key === undefined ? {} : { key: `b${one.key}V` }),
    }));
    assert.equal(exportJson(rekeyed.toReversed(), whole), text);
    const withNulls = account.map((one) => ({
      ...one,
      fields: Object.fromEntries([...Object.entries(one.fields).toReversed(), ['archived', null]]),
    }));
    assert.equal(exportJson(withNulls, whole), text);
  });

  test('[FMT-11] siblings are written in order, parents first', () => {
    const document = read(exportJson(account, whole));
    const titles = document.entities.flatMap((one) => (one.type === 'task' ? [one.fields['title']] : []));
    assert.deepEqual(
      titles.filter((title) => title !== 'Loose'),
      ['Plant', 'Dig', 'Deeper'],
    );
    assert.equal(document.entities.find((one) => one.id === id('dig'))?.order, 1);
  });

  test("[FMT-12] a part holds what is beneath it, what is one's own about it, and its labels", () => {
    const ids = (selection: ExportSelection) =>
      read(exportJson(account, selection))
        .entities.map((one) => one.id)
        .toSorted();
    const dig = [
      id('dig'),
      id('deeper'),
      mineId(SCOPE, id('dig')),
      completionId(id('dig'), 0),
      id('label'),
      id('group'),
    ];
    assert.deepEqual(ids({ kind: 'task', root: id('dig') }), dig.toSorted());
    const garden = [...dig, id('garden'), id('plant'), id('file')];
    assert.deepEqual(ids({ kind: 'list', root: id('garden') }), garden.toSorted());
    assert.deepEqual(ids({ kind: 'folder', root: id('home') }), [...garden, id('home')].toSorted());
    assert.deepEqual(
      read(exportJson(account, { kind: 'list', root: id('garden') })).roots,
      [id('home'), labelsRoot(SCOPE)].toSorted(),
    );
  });
});

describe('reading JSON', () => {
  const valid = JSON.parse(exportJson(account, whole)) as Record<string, Record<string, unknown>[]>;
  const problems = (change: (document: Record<string, Record<string, unknown>[]>) => void) => {
    const document = structuredClone(valid);
    change(document);
    return problemsOf(parseJson(JSON.stringify(document), rules));
  };

  test('[FMT-13] says what is not a document', () => {
    assert.match(problemsOf(parseJson('{', rules))[0] ?? '', /^: This isn’t JSON: /);
    for (const text of ['[]', '3', 'null', '{}', '{"format":"other"}']) {
      assert.deepEqual(problemsOf(parseJson(text, rules)), ['format: This isn’t a Posthaste export.']);
    }
    assert.deepEqual(problemsOf(parseJson('{"format":"posthaste","version":2}', rules)), [
      'version: A newer version made this export. Reload the app.',
    ]);
    assert.deepEqual(problemsOf(parseJson('{"format":"posthaste","version":"1"}', rules)), [
      'version: The version must be 1.',
    ]);
    assert.equal(parseJson(`\uFEFF${exportJson(account, whole)}`, rules).ok, true);
  });

  test('[FMT-13] says where each problem is', () => {
    const found = problems((document) => {
      Object.assign(document, { kind: 'all', roots: 'x' });
      document['tasks']![0]!['id'] = 'ABC';
      document['tasks']![1]!['createdAt'] = '1';
      document['tasks']![1]!['order'] = -1;
      document['tasks']![2]!['fields'] = { title: 7, place: {} };
      document['lists']![0]!['fields'] = {};
      document['labels']![0] = 3 as never;
      document['mine'] = {} as never;
    });
    for (const expected of [
      'kind: The kind must be task, list, folder or account.',
      'roots: This must be a list of UUIDs in lower case.',
      'tasks[0].id: The id must be a UUID in lower case.',
      'tasks[1].createdAt: The time must be a whole number of milliseconds.',
      'tasks[1].order: The order must be a whole number from 0.',
      'tasks[2].fields.title: title is not right',
      'tasks[2].fields.place: The place needs parent and order.',
      'lists[0].fields.listType: listType is required',
      'labels[0]: This must be an object.',
      'mine: This must be a list.',
    ]) {
      assert.ok(found.includes(expected), `${expected} in\n${found.join('\n')}`);
    }
  });

  test('[FMT-13] [PLACE-2] refuses an id used twice, a parent that is not there or cannot be one, and circles', () => {
    const twice = problems((document) => document['tasks']!.push(structuredClone(document['tasks']![0]!)));
    assert.deepEqual(twice, ['tasks[4].id: The id is already used by tasks[0].']);
    const dangling = problems((document) => {
      document['tasks']!.find((task) => task['id'] === id('dig'))!['parent'] = id('nowhere');
    });
    assert.deepEqual(
      dangling.map((line) => line.replace(/\d/, 'n')),
      ['tasks[n].parent: The parent is neither in the document nor among its roots.'],
    );
    const wrong = problems((document) => {
      document['tasks']!.find((task) => task['id'] === id('dig'))!['parent'] = id('label');
    });
    assert.deepEqual(
      wrong.map((line) => line.replace(/\d/, 'n')),
      ['tasks[n].parent: A task can’t go under a label.'],
    );
    const circle = problems((document) => {
      document['tasks']!.find((task) => task['id'] === id('dig'))!['parent'] = id('deeper');
    });
    assert.deepEqual(
      circle.map((line) => line.replace(/\d/, 'n')),
      ['tasks[n].parent: The parents form a circle.'],
    );
    const self = problems((document) => {
      document['tasks']!.find((task) => task['id'] === id('dig'))!['parent'] = id('dig');
    });
    assert.equal(self.length, 1);
    assert.deepEqual(
      problems((document) => Object.assign(document, { root: id('dig') })),
      ['root: An account has no root.'],
    );
    assert.deepEqual(
      problems((document) => Object.assign(document, { kind: 'task', root: id('nowhere') })),
      ['root: The root must be the id of an entity of the document.'],
    );
  });

  test('[FMT-13] reads any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.equal(parseJson(text, rules).ok, false)),
      { seed: 5 },
    );
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(valid)),
        fc.option(fc.nat(3)),
        fc.constantFrom('id', 'createdAt', 'parent', 'order', 'fields', 'x'),
        value,
        (part, at, name, drawn) => {
          problems((document) => {
            const found = at === null ? undefined : document[part]?.[at];
            if (typeof found === 'object' && found !== null) found[name] = drawn;
            else document[part] = drawn as never;
          });
        },
      ),
      { seed: 6 },
    );
    const deep = `{"format":"posthaste","version":1,"kind":"account","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    assert.deepEqual(problemsOf(parseJson(deep, rules)), ['x: This is nested deeper than 32 levels.']);
    assert.equal(parseJson('['.repeat(1_000_000), rules).ok, false);
  });

  test('[FMT-13] names at most a hundred problems and says how many more there are', () => {
    const found = problems((document) => {
      document['tasks'] = Array.from({ length: 250 }, () => ({}));
    });
    assert.equal(found.length, 101);
    assert.match(found.at(-1) ?? '', /^: \d+ more problems\.$/);
  });

  test('[FMT-14] keeps what a newer version wrote beside what is known', () => {
    const text = exportJson(account, whole)
      .replace('"version": 1,', '"version": 1,\n  "macros": [{"id": 1}],')
      .replace('"fields":{"due"', '"colour":{"b":1,"a":2},"fields":{"depth":[1],"due"');
    const document = read(text);
    assert.deepEqual(document.extra, { macros: [{ id: 1 }] });
    const dig = document.entities.find((one) => one.id === id('dig'));
    assert.deepEqual(dig?.extra, { colour: { b: 1, a: 2 } });
    assert.deepEqual(dig?.fields['depth'], [1]);
    assert.deepEqual(read(printDocument(document)), document);
    assert.match(printDocument(document), /"colour":\{"a":2,"b":1\}/);
  });
});

describe('importing JSON', () => {
  const OTHER = deriveId('other scope');
  const counted = (): (() => Id) => {
    let made = 0;
    return () => {
      made += 1;
      return id(`made ${made}`);
    };
  };
  const creates = (selection: ExportSelection, more: Partial<CreateOptions> = {}) =>
    documentToCreates(read(exportJson(account, selection)), {
      newIds: 'keep',
      makeId: counted(),
      scope: SCOPE,
      ...more,
    });

  test('[FMT-15] gives parents first and siblings in order', () => {
    const made = creates(whole);
    assert.equal(made.length, account.length);
    const at = (name: Id) => made.findIndex((create) => create.id === name);
    for (const create of made) {
      if (create.parent !== null) assert.ok(at(create.parent) < at(create.id));
    }
    assert.ok(at(id('plant')) < at(id('dig')));
    assert.ok(at(id('label')) < at(id('deeper')));
  });

  test('[FMT-15] keeping ids restores the same entities', () => {
    for (const create of creates(whole)) {
      const original = account.find((one) => one.id === create.id);
      assert.deepEqual(create.fields, original?.fields);
      assert.equal(create.parent, original?.parent ?? null);
      assert.equal(create.createdAt, original?.createdAt);
    }
  });

  test('[SHARE-167] holds comments; who imports them is their author', () => {
    const said = entity('comment', 'comment', id('dig'), { text: 'Deep enough?', author: 7 });
    const document = read(exportJson([...account, said], whole));
    assert.deepEqual(document.entities.find(({ id: own }) => own === said.id)?.fields, said.fields);
    const made = documentToCreates(document, { newIds: 'keep', makeId: counted(), scope: SCOPE });
    const create = made.find(({ type }) => type === 'comment');
    assert.deepEqual([create?.fields, create?.parent], [{ text: 'Deep enough?' }, id('dig')]);
  });

  test('[SHARE-289] people are known elsewhere by their names, and written out where they are not', () => {
    const said = entity('comment', 'comment', id('dig'), { text: '@[7] or @[8]?', author: 7, seal: 'x' });
    const own = entity('comment', 'own', id('dig'), { text: 'Deep', author: 9 });
    const given = entity('task', 'given', id('dig'), { title: 'Given', assignee: 7 });
    const names = new Map([
      [7, 'Ann'],
      [8, 'Ben'],
      [9, 'Me'],
      [10, 'Nobody in it'],
    ]);
    const text = exportJson([...account, said, own, given], whole, names);
    assert.match(text, /"people": \[\{"account":7,"name":"Ann"\},\{"account":8.*"Me"\}\]\n/);
    const document = read(text);
    assert.equal(printDocument(document), text);
    const imported = (people: ReadonlyMap<number, string>) => {
      const options = { newIds: 'keep', makeId: counted(), scope: SCOPE, account: 9, people } as const;
      const made = new Map(documentToCreates(document, options).map((create) => [create.id, create.fields]));
      return [said, own].map((one) => made.get(one.id)?.['text']).concat(made.get(given.id)?.['assignee']);
    };
    assert.deepEqual(imported(names), ['Ann: @[7] or @[8]?', 'Deep', 7]);
    const elsewhere = new Map([
      [7, 'Zoe'],
      [9, 'Somebody'],
    ]);
    assert.deepEqual(imported(elsewhere), ['Ann: @Ann or @Ben?', 'Me: Deep', undefined]);
  });

  test('[FMT-15] fresh ids make a second copy whose references stay within it', () => {
    const made = creates(whole, { newIds: 'fresh' });
    const old = new Set(account.map((one) => one.id));
    const shared = made.filter((create) => old.has(create.id));
    assert.deepEqual(
      shared.map((create) => create.id).toSorted(),
      [inboxId(SCOPE), settingId(SCOPE, 'theme')].toSorted(),
    );
    const byTitle = (title: string) =>
      made.find((create) => create.fields['title'] === title && create.type === 'task')!;
    const label = made.find((create) => create.fields['name'] === 'Shed')!;
    assert.equal(byTitle('Deeper').fields[`label:${label.id}`], true);
    assert.equal(byTitle('Deeper').parent, byTitle('Dig').id);
    assert.equal(byTitle('Loose').parent, inboxId(SCOPE));
    const mine = made.find((create) => create.type === 'mine')!;
    assert.deepEqual([mine.id, mine.fields['of']], [mineId(SCOPE, byTitle('Dig').id), byTitle('Dig').id]);
    const completion = made.find((create) => create.type === 'completion')!;
    assert.deepEqual(
      [completion.id, completion.fields['task']],
      [completionId(byTitle('Dig').id, 0), byTitle('Dig').id],
    );
  });

  test('[FMT-15] what belongs to a person belongs to whoever imports', () => {
    const made = creates(whole, { scope: OTHER });
    const ids = new Set(made.map((create) => create.id));
    for (const expected of [inboxId(OTHER), settingId(OTHER, 'theme'), mineId(OTHER, id('dig'))])
      assert.ok(ids.has(expected));
    const parents = new Set(made.map((create) => create.parent));
    assert.ok(parents.has(listsRoot(OTHER)) && parents.has(labelsRoot(OTHER)) && parents.has(inboxId(OTHER)));
    assert.ok(!parents.has(listsRoot(SCOPE)) && !parents.has(labelsRoot(SCOPE)));
  });

  test('[FMT-15] a part goes where it is sent, else to the Inbox or the top level', () => {
    const parentOf = (selection: ExportSelection, into?: Id) =>
      creates(selection, into === undefined ? {} : { into }).find((create) => create.id === selection.root)
        ?.parent;
    assert.equal(parentOf({ kind: 'task', root: id('dig') }), inboxId(SCOPE));
    assert.equal(parentOf({ kind: 'task', root: id('dig') }, id('elsewhere')), id('elsewhere'));
    assert.equal(parentOf({ kind: 'list', root: id('garden') }), listsRoot(SCOPE));
    assert.equal(parentOf({ kind: 'list', root: id('garden') }, id('elsewhere')), id('elsewhere'));
  });
});

/** Random forests of lists and tasks, with registers of every kind. */
const arbitraryAccount = fc
  .array(
    fc.record({
      isList: fc.boolean(),
      parent: fc.nat(1_000),
      key: fc.string({ unit: fc.constantFrom('0', 'V', 'a', 'z'), minLength: 1, maxLength: 3 }),
      title: fc.string({ unit: 'binary' }),
      known: fc.dictionary(
        fc.constantFrom('notes', 'meta:a', '__proto__', 'constructor', 'meta:ü'),
        fc.string(),
      ),
      value: fc.jsonValue({ maxDepth: 2, noUnicodeString: false }),
    }),
    { maxLength: 25 },
  )
  .map((drawn) => {
    const made: ExportedEntity[] = [];
    drawn.forEach(({ isList, parent, key, title, known, value }, i) => {
      const above = made.filter((one) => one.type === 'list' || !isList);
      const found = above[parent % (above.length + 1)]?.id ?? listsRoot(SCOPE);
      const more = value === null ? {} : { unknown: value };
      const fields: ExportedFields = isList
        ? { listType: 'list', name: title, ...more }
        : { ...known, title, ...more };
      made.push({
        id: id(`drawn ${i}`),
        type: isList ? 'list' : 'task',
        createdAt: i,
        parent: found,
        key,
        fields,
      });
    });
    return made;
  });

describe('laws', () => {
  test('[FMT-10] [FMT-14] what is exported is read back as it was, and exported again is the same text', () => {
    fc.assert(
      fc.property(arbitraryAccount, (entities) => {
        const text = exportJson(entities, whole);
        const document = read(text);
        assert.equal(printDocument(document), text);
        assert.equal(exportJson(toEntities(document), whole), text);
        for (const one of entities) {
          const found = document.entities.find((other) => other.id === one.id);
          assert.deepEqual(found?.fields, JSON.parse(JSON.stringify(one.fields)));
          assert.equal(found?.parent, one.parent);
        }
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  test('[FMT-11] two copies with other keys in the same order give the same bytes', () => {
    fc.assert(
      fc.property(arbitraryAccount, fc.infiniteStream(fc.nat(100)), (entities, random) => {
        const text = exportJson(entities, whole);
        const shuffled = toEntities(read(text))
          .map((one) => ({ one, at: random.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one);
        assert.equal(exportJson(shuffled, whole), text);
      }),
      { numRuns: 100, seed: 8 },
    );
  });
});
