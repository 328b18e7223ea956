// Rules FMT-16 … FMT-18 of docs/rules/tasks.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { deriveId, type Id } from '../ids.ts';
import type { ExportedEntity, ExportedFields } from './exported.ts';
import { escapeMarkdown, exportMarkdown } from './markdown.ts';

const id = (name: string): Id => deriveId('test', name);

/** Siblings are in the order they are listed in. */
const inOrder = (entities: readonly ExportedEntity[]): ExportedEntity[] =>
  entities.map((one, i) =>
    one.parent === undefined ? one : { ...one, key: `a${String(i).padStart(5, '0')}` },
  );

function entity(
  type: ExportedEntity['type'],
  name: string,
  parent: string | null,
  fields: ExportedFields,
): ExportedEntity {
  const place = parent === null ? {} : { parent: id(parent) };
  return { id: id(name), type, createdAt: 0, ...place, fields };
}

const at = Temporal.ZonedDateTime.from('2026-11-27T17:00[Europe/Paris]').epochMilliseconds;
const account = inOrder([
  entity('list', 'home', 'root', { listType: 'folder', name: 'Home' }),
  entity('list', 'garden', 'home', { listType: 'list', name: 'Garden', notes: 'What *grows*.' }),
  entity('task', 'dig', 'garden', {
    title: 'Dig [here]',
    notes: 'First line\n\n- a point\n',
    due: { on: '2026-11-27' },
    start: { local: '2026-11-20T08:30' },
    duration: 90,
    [`label:${id('shed')}`]: true,
    [`label:${id('gone')}`]: null,
  }),
  entity('task', 'deeper', 'dig', {
    title: 'Deeper',
    status: { done: 1 },
    due: { at, zone: 'Europe/Paris' },
  }),
  entity('task', 'after', 'garden', { title: '', duration: 120 }),
  entity('task', 'trashed', 'garden', { title: 'Trashed', del: { at: 1, by: 1 } }),
  entity('task', 'in trash', 'trashed', { title: 'Beneath trash' }),
  entity('list', 'old', 'home', { listType: 'list', name: 'Old', archivedAt: 5 }),
  entity('list', 'soon', 'root', { listType: 'smart', name: 'Soon', query: 'due:today `x`' }),
  entity('label', 'shed', 'labels', { name: 'Tool_shed 2' }),
  entity('label', 'own', 'labels', { name: 'Mine' }),
  entity('mine', 'mine', null, { of: id('dig'), [`label:${id('own')}`]: true }),
]);

describe('exporting Markdown', () => {
  test('[SHARE-289] who does a task stands after its title, and what was said beneath its notes', () => {
    const said = (name: string, fields: ExportedFields, createdAt: number): ExportedEntity => ({
      ...entity('comment', name, 'dig', fields),
      createdAt,
    });
    const rows = inOrder([
      entity('list', 'garden', 'root', { listType: 'list', name: 'Garden' }),
      entity('task', 'dig', 'garden', { title: 'Dig', notes: 'Deep.', assignee: 7 }),
      entity('task', 'far', 'garden', { title: 'Far', assignee: 99 }),
      said('second', { text: 'Now *this*\n\nor that', author: 99 }, at),
      said('first', { text: '@[7], when?', author: 7 }, 0),
      said('gone', { text: 'Gone', author: 7, del: { at: 1, by: 7 } }, 1),
    ]);
    assert.equal(
      exportMarkdown(rows, { kind: 'account' }, new Map([[7, 'Ann']])),
      [
        '# Garden',
        '',
        '- [ ] Dig — assigned to Ann',
        '',
        '  Deep.',
        '',
        '  > **Ann**, 1970-01-01: @Ann, when?',
        '',
        String.raw`  > **Somebody**, 2026-11-27: Now \*this\*`,
        '  >',
        '  > or that',
        '',
        '- [ ] Far',
        '',
      ].join('\n'),
    );
  });

  test('[FMT-16] lists are headings, tasks nested checkboxes with their details, notes beneath', () => {
    assert.equal(
      exportMarkdown(account, { kind: 'folder', root: id('home') }),
      [
        '# Home',
        '',
        '## Garden',
        '',
        'What *grows*.',
        '',
        String.raw`- [ ] Dig \[here\] — due 2026-11-27 · starts 2026-11-20 08:30 · 1 h 30 min · labels: Mine, Tool_shed 2`,
        '',
        '  First line',
        '',
        '  - a point',
        '',
        '  - [x] Deeper — due 2026-11-27 17:00 (Europe/Paris)',
        '- [ ] *Untitled* — 2 h',
        '',
        '## Old (archived)',
        '',
      ].join('\n'),
    );
  });

  test('[FMT-16] a task, a list and the account', () => {
    assert.equal(
      exportMarkdown(account, { kind: 'task', root: id('deeper') }),
      '- [x] Deeper — due 2026-11-27 17:00 (Europe/Paris)\n',
    );
    assert.match(
      exportMarkdown(account, { kind: 'list', root: id('garden') }),
      /^# Garden\n\nWhat \*grows\*\.\n\n- \[ \] Dig/,
    );
    const whole = exportMarkdown(account, { kind: 'account' });
    assert.deepEqual(whole.match(/^#+ .*$/gm), ['# Home', '## Garden', '## Old (archived)', '# Soon']);
    assert.match(whole, /\n# Soon\n\nSearch: `` due:today `x` ``\n/);
    assert.equal(exportMarkdown([], { kind: 'account' }), '');
  });

  test('[FMT-16] headings go down to the sixth level, tasks as deep as they are', () => {
    const depth = 3_000;
    const lists = Array.from({ length: 9 }, (_, i) =>
      entity('list', `list ${i}`, i === 0 ? 'root' : `list ${i - 1}`, { name: `L${i}` }),
    );
    const tasks = Array.from({ length: depth }, (_, i) =>
      entity('task', `task ${i}`, i === 0 ? 'list 8' : `task ${i - 1}`, { title: `T${i}` }),
    );
    const text = exportMarkdown([...lists, ...tasks], { kind: 'account' });
    assert.match(text, /^###### L8$/m);
    assert.ok(text.endsWith(`${'  '.repeat(depth - 1)}- [ ] T${depth - 1}\n`));
  });

  test('[FMT-16] repeats, snoozes, files and the Inbox are said', () => {
    const text = exportMarkdown(
      inOrder([
        entity('list', 'inbox', 'root', { listType: 'inbox' }),
        entity('task', 'water', 'inbox', {
          title: 'Water',
          due: { on: '2026-11-27' },
          repeat: {
            value: 3,
            unit: 'days',
            metadata: null,
            from: 'completion',
            missed: 'skip',
            anchorDay: null,
          },
        }),
        entity('attachment', 'plan', 'water', { name: 'plan 1.pdf' }),
        entity('attachment', 'thrown', 'water', { name: 'old.pdf', del: { at: 1, by: 1 } }),
        entity('mine', 'mine', null, { of: id('water'), snooze: { on: '2026-11-25' } }),
      ]),
      { kind: 'account' },
    );
    assert.equal(
      text,
      [
        '# Inbox',
        '',
        String.raw`- [ ] Water — due 2026-11-27 · repeats every 3 days after completion · snoozed until 2026-11-25 · files: plan 1.pdf`,
        '',
      ].join('\n'),
    );
  });

  test('[FMT-17] leaves out the trash and what lies in it', () => {
    const text = exportMarkdown(account, { kind: 'account' });
    assert.equal(/trash/i.test(text), false);
  });

  test('[FMT-18] titles stay the text they are', () => {
    const cases: Readonly<Record<string, string>> = {
      '*a* _b_ `c`': String.raw`\*a\* \_b\_ \`c\``,
      'snake_case stays': 'snake_case stays',
      '[x](y) <b> ![z]': String.raw`\[x\](y) \<b> !\[z\]`,
      '~~no~~ &amp; R&D &#35;': String.raw`\~\~no\~\~ \&amp; R&D \&#35;`,
      'C:\\temp': String.raw`C:\\temp`,
      'C## and ##': String.raw`C## and \##`,
      'two\nlines ': 'two lines',
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(escapeMarkdown(text), expected);
  });

  test('[FMT-18] a title never breaks its line or begins markup, and without its backslashes it is itself', () => {
    const pieces = ['*', '_', '`', '[', ']', '<', '~', '&', 'amp;', '#', '\\', ' ', 'a', 'é', '\n', '-', '!'];
    const title = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(title, (text) => {
        const escaped = escapeMarkdown(text);
        assert.equal(escaped.includes('\n'), false);
        assert.equal(escaped.replaceAll(/\\([\\`*[\]<~_&#])/g, '$1'), text.replaceAll(/\n+/g, ' ').trim());
        assert.equal(/(?<!\\)(?:\\\\)*[*`[\]<~]/.test(escaped), false);
      }),
      { numRuns: 500, seed: 9 },
    );
  });
});
