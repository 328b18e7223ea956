// The search language: reading, printing, explaining, and answers compared with the plainest evaluator.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileQuery, type Names } from '#core/search/evaluate.ts';
import { explainQuery } from '#core/search/explain.ts';
import { operators } from '#core/search/operators.ts';
import { parseQuery } from '#core/search/parse.ts';
import { piecesOf } from '#core/search/pieces.ts';
import { printQuery } from './print.ts';
import { saidAt } from '../dates/said-at.ts';
import { expressions, idsNamed, normal, placeless, type Sample } from './samples.ts';

const names: Names = {
  places: (_kind, name) => idsNamed(name),
  labels: idsNamed,
  groupLabels: idsNamed,
  people: () => new Set(),
};
const context = saidAt('Asia/Kathmandu');

const base: Sample = {
  id: '00000000-0000-7000-8000-00000000000a' as Sample['id'],
  title: 'pay rent',
  notes: 'cafe account',
  completedAt: null,
  isCleared: false,
  due: { on: '2026-11-20' },
  start: null,
  snooze: null,
  createdAt: context.now - 86_400_000,
  updatedAt: context.now,
  scalars: { duration: 30 },
  isRepeating: false,
  isBookmarked: false,
  isShared: false,
  isEmailed: false,
  isArchived: false,
  blocks: [],
  isNested: false,
  hasChildren: false,
  hasAttachment: false,
  hasComment: false,
  assignee: null,
  labels: [],
  metadata: new Map(),
  above: [],
  isUnder: () => false,
};

function finds(query: string, subject: Partial<Sample> = {}): boolean {
  return compileQuery(parseQuery(query), { names, context }).matches({ ...base, ...subject });
}

test('no two operators have one name', () => {
  const names = operators.flatMap(({ name, aliases }) => [name, ...aliases]);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

describe('reading queries', () => {
  const printed: Readonly<Record<string, string>> = {
    'rent  flat': 'rent flat',
    'a OR b c': 'a OR b c',
    '(a OR b) c': '(a OR b) c',
    'a AND b': 'a b',
    'NOT a': '-a',
    '-(a b)': '-(a b)',
    '--a': '"--a"',
    '"two words"': '"two words"',
    'title:“two words”': 'title:"two words"',
    'tag:High is:done with:note': 'label:High is:complete has:notes',
    'due:≤fri': 'due:<=fri',
    'due:"next week"': 'due:"next week"',
    'due:next-week': 'due:"next week"',
    'due:<=in-3-days': 'due:"<=in 3 days"',
    'due:>nov_27_2027': 'due:">nov 27 2027"',
    'due:2026-11': 'due:2026-11',
    'due:-2d': 'due:"-2d"',
    'due:2026-11-27-17:00': 'due:"2026-11-27 17:00"',
    'due:fri_9-10am': 'due:"fri 9-10am"',
    'due:last-monday..end-of-next-month': 'due:"last monday..end of next month"',
    'duration:<=an-hour-and-a-half': 'duration:<=90m',
    'due:mon..fri': 'due:mon..fri',
    'created:..yesterday': 'created:..yesterday',
    'deadline:none': 'due:none',
    'label:none': '-has:label',
    'duration:<=1h30': 'duration:<=90m',
    'meta:ticket=42': 'meta:ticket=42',
    'sort:due-desc limit:5 disable:nested enable:duplicates x':
      'x sort:due-date-desc limit:5 disable:nested enable:duplicates',
    're-read http://a.example/b:c 12:30': 're-read "http://a.example/b:c" "12:30"',
    '': '',
  };

  test('[SEARCH-3] whatever words for a date read with spaces, they read with hyphens or underscores', () => {
    const table = readFileSync(new URL('../../docs/rules/dates.md', import.meta.url), 'utf8');
    const phrases = [...table.matchAll(/^\| ([^|]+?) *\| /gm)]
      .map(([, phrase = '']) => phrase)
      .filter((phrase) => /\S\s+\S/.test(phrase) && parseQuery(`due:"${phrase}"`).problems.length === 0);
    assert.ok(phrases.length > 100);
    for (const phrase of phrases)
      for (const sign of phrase.includes('-') ? ['_'] : ['-', '_'])
        assert.equal(
          printQuery(parseQuery(`due:${phrase.replaceAll(/\s+/g, sign)}`)),
          printQuery(parseQuery(`due:"${phrase}"`)),
          phrase,
        );
  });

  test('[SEARCH-2] [SEARCH-3] queries and their canonical form', () => {
    for (const [query, expected] of Object.entries(printed)) {
      const read = parseQuery(query);
      assert.deepEqual(read.problems, [], query);
      assert.equal(printQuery(read), expected, query);
    }
  });

  test('[SEARCH-22] a label written as in a title is the label, or the word', () => {
    const canonical = (query: string) => printQuery(parseQuery(query));
    assert.equal(canonical('rent #bills'), canonical('rent (label:bills OR "#bills")'));
    assert.equal(canonical('-#to-do'), canonical('-(label:to-do OR "#to-do")'));
    for (const text of ['"#bills"', '#12', '#', '#a/b', 'c#bills']) {
      const { expression } = parseQuery(text);
      assert.deepEqual(expression.type === 'term' && expression.term.type, 'text', text);
    }
  });

  test('[SEARCH-4] what is wrong is said with its place, and nothing is found', () => {
    const wrong: Readonly<Record<string, readonly [number, number, string | null]>> = {
      'rent lable:x': [5, 11, 'label:'],
      'is:overdeu rent': [3, 10, 'overdue'],
      'rent due:soonish': [9, 16, 'today'],
      'rent (a': [5, 6, null],
      'rent)': [4, 5, ''],
      'rent duration:long': [14, 18, '30m'],
      'rent limit:0': [11, 12, '10'],
      'rent sort:dui-date': [10, 18, 'due-date'],
      'rent disable:nest': [13, 17, 'nested'],
      'rent OR': [5, 7, null],
      'rent in:': [5, 8, null],
      'titel:x': [0, 6, 'title:'],
      'due:foo': [4, 7, 'today'],
      '-titel:x': [1, 7, 'title:'],
      'rent OR due:foo': [12, 15, 'today'],
      'meta:=x rent': [5, 7, null],
      '()': [0, 2, null],
      '-()': [0, 3, null],
      AND: [0, 3, null],
      '""': [0, 2, null],
    };
    for (const [query, [start, end, hint]] of Object.entries(wrong)) {
      const { problems } = parseQuery(query);
      assert.equal(problems.length, 1, query);
      assert.deepEqual([problems[0]?.start, problems[0]?.end, problems[0]?.hint], [start, end, hint], query);
      assert.ok(!finds(query), `${query}: nothing is found`);
    }
    assert.ok(finds(`rent ${'-(z) '.repeat(100)}`), 'a long query that is understood');
    assert.ok(!finds(`rent ${'-(z) '.repeat(500)}`), 'one that is cut off');
  });

  test('[SEARCH-6] what is printed reads back as the same', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const query = { expression, directives: parseQuery('').directives, problems: [] };
        const text = printQuery(query);
        const read = parseQuery(text);
        assert.deepEqual(read.problems, [], text);
        const wanted = normal(expression);
        assert.deepEqual(placeless(read.expression), placeless(wanted), text);
        assert.equal(printQuery(read), printQuery({ ...query, expression: wanted }), text);
      }),
      { numRuns: 10_000, seed: 5 },
    );
  });

  test('[SEARCH-5] whatever is typed gives a query', () => {
    const atoms = [
      '(',
      ')',
      '-',
      '"',
      'OR',
      'NOT',
      ' ',
      ':',
      '\\',
      'due:',
      'is:',
      '<',
      '..',
      'today',
      'list:"',
      'a',
      '“',
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...atoms), { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    fc.assert(
      fc.property(text, (query) => {
        const read = parseQuery(query);
        explainQuery(read);
        printQuery(read);
        for (const { start, end } of read.problems)
          assert.ok(start >= 0 && start <= end && end <= query.length);
      }),
      { numRuns: 100_000, seed: 6 },
    );
  });

  test('[SEARCH-5] pieces are as many as the text is long', () => {
    for (const shape of ['(', '-', '"', 'a:', 'OR ', '-(', '"\\"', 'is:x ']) {
      const once = piecesOf(shape.repeat(200)).length;
      const twice = piecesOf(shape.repeat(400)).length;
      assert.ok(twice <= 2.6 * once + 2, shape);
      assert.ok(parseQuery(shape.repeat(400)).problems.length <= 1_000, shape);
    }
  });

  test('[SEARCH-7] a query in words', () => {
    const said: Readonly<Record<string, string>> = {
      '': 'all tasks',
      'rent is:incomplete due:<=today sort:due-date':
        'tasks with “rent”, not completed, due today or earlier, sorted by due date',
      'in:Work (label:High OR is:overdue)':
        'tasks in Work, either labeled High or due before now and not completed',
      '-has:notes limit:3': 'tasks not with notes, at most 3',
      'duration:<=90m': 'tasks taking at most 1 h 30 min',
    };
    for (const [query, expected] of Object.entries(said))
      assert.equal(explainQuery(parseQuery(query)), expected);
  });

  test('every operator of the table can be used as its example says', () => {
    for (const { example, name } of operators) assert.deepEqual(parseQuery(example).problems, [], name);
    for (const { name, values, kind } of operators) {
      for (const value of kind === 'is' ||
      kind === 'has' ||
      kind === 'sort' ||
      kind === 'view' ||
      kind === 'date'
        ? values
        : [])
        assert.deepEqual(parseQuery(`${name}:${value}`).problems, [], `${name}:${value}`);
    }
  });
});

describe('what a query finds', () => {
  test('[SEARCH-1] words in title or notes, without case and accents', () => {
    assert.ok(finds('RENT Café'));
    assert.ok(!finds('rent missing'));
    assert.ok(!finds('"rent pay"'));
    assert.ok(finds('"pay rent"'));
    assert.ok(finds('notes:café -title:café'));
  });

  test('[SEARCH-10] [SEARCH-11] words for days', () => {
    assert.ok(finds('due:today'));
    assert.ok(finds('due:"this week"'));
    assert.ok(finds('due:nov'));
    assert.ok(finds('due:2026'));
    assert.ok(!finds('due:"next week"'));
    assert.ok(finds('due:<tomorrow'));
    assert.ok(finds('due:<="this week"'));
    assert.ok(!finds('due:>"this week"'));
    assert.ok(finds('created:yesterday updated:today'));
    assert.ok(finds('created:"last 7 days"'));
    assert.ok(finds('due:mon..fri', { due: { on: '2026-11-24' } }));
    assert.ok(finds('completed:fri', { completedAt: context.now }), 'looking back, friday is today');
  });

  test('[SEARCH-12] [SEARCH-13] days are days and moments are moments', () => {
    assert.ok(!finds('is:overdue'));
    assert.ok(finds('is:due'));
    assert.ok(finds('is:overdue', { due: { at: context.now - 60_000, zone: 'UTC' } }));
    assert.ok(finds('is:overdue', { due: { at: context.now, zone: 'UTC' } }), 'at its very moment');
    assert.ok(!finds('is:overdue', { due: { at: context.now + 60_000, zone: 'UTC' } }));
    assert.ok(!finds('is:uncleared'));
    assert.ok(finds('is:uncleared', { completedAt: context.now }));
    assert.ok(!finds('is:due', { completedAt: context.now }));
    assert.ok(finds('due:<5pm', { due: { at: context.now, zone: 'UTC' } }));
    assert.ok(!finds('due:<9:00', { due: { at: context.now, zone: 'UTC' } }));
    const night = saidAt('Asia/Kathmandu', { dayStart: 4 }, '2026-11-21T01:30');
    assert.ok(
      compileQuery(parseQuery('due:today'), { names, context: night }).matches(base),
      'the day is not over',
    );
  });

  test('[CAL-59] time blocks are asked for as due dates are: any of them counts', () => {
    const blocks = [{ local: '2026-11-18T09:00' }, { local: '2026-11-20T16:00' }];
    for (const query of [
      'has:block',
      'with:blocks',
      'block:today',
      'planned:<today',
      'block:>=today',
      'block:any',
    ])
      assert.ok(finds(query, { blocks }), query);
    for (const query of ['block:tomorrow', 'block:2026-11-19', 'block:none', '-has:block', 'block:>today'])
      assert.ok(!finds(query, { blocks }), query);
    assert.ok(finds('block:mon..fri', { blocks: [{ local: '2026-11-24T09:00' }] }));
    assert.ok(!finds('has:block'));
    assert.ok(finds('block:none'));
    assert.equal(explainQuery(parseQuery('block:today')), 'tasks planned today');
  });

  test('[SEARCH-14] [SEARCH-15] places, and names that nothing has', () => {
    const above = idsNamed('b');
    assert.ok(finds('in:b', { isUnder: (ids) => [...above].some((id) => ids.has(id)) }));
    const question = compileQuery(parseQuery('in:zzz rent'), { names, context });
    assert.deepEqual(
      question.unknown.map(({ start, end }) => [start, end]),
      [[0, 6]],
    );
    assert.ok(!question.matches(base));
  });

  test('[SEARCH-7] the terms that decided', () => {
    const reasons = (query: string) =>
      compileQuery(parseQuery(query), { names, context })
        .reasons(base)
        .map(({ start, end, holds }) => `${query.slice(start, end)} ${holds ? 'yes' : 'no'}`);
    assert.deepEqual(reasons('rent is:complete has:label'), ['is:complete no', 'has:label no']);
    assert.deepEqual(reasons('rent is:incomplete'), ['rent yes', 'is:incomplete yes']);
    assert.deepEqual(reasons('is:complete OR rent'), ['rent yes']);
    assert.deepEqual(reasons('-rent'), ['rent yes']);
  });
});
