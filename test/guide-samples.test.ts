// That what guides show is so: the names of commands, settings and buttons as the app has them, links, themes and pasted lines as
// the program reads them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { commands } from '#client/commands/registry.ts';
import { readLink } from '#client/links/read.ts';
import { allSettings } from '#client/settings/catalog.ts';
import { gradientProblem, readOwnTokens } from '#client/settings/own-look.ts';
import { parseOutlineText } from '#core/formats/outline-text.ts';
import { guideList } from '#site/content/guide-list.ts';

const read = (guide: string) =>
  readFileSync(new URL(`../src/site/guides/${guide}.md`, import.meta.url), 'utf8');

/** Bold words, with the command in parentheses behind them. Sentences and figures in bold are no names. */
function namesIn(text: string): readonly { readonly name: string; readonly command: string | undefined }[] {
  return [...text.matchAll(/\*\*([^*]+)\*\*(?:\s\(\[\[([^\]=]+)\]\]\))?/g)].flatMap(
    ([, bold = '', command]) => {
      const name = bold.replaceAll(/\s+/g, ' ').replace(/[.:]$/, '');
      return /^[A-Z]/.test(name) ? [{ name, command }] : [];
    },
  );
}

const withoutDots = (title: string) => [title, title.replace(/…$/, '')];

/** The title of a command, and the wordings that its file has for it. */
function titlesOf(id: string): ReadonlySet<string> {
  const command = commands.get(id);
  assert.ok(command, `there is no command ${id}`);
  return new Set(withoutDots(command.title));
}

/** Every text in quotation marks or between tags of the app: what a person can read on its screen is among it. */
function wordsOfTheApp(): ReadonlySet<string> {
  const files = globSync(['client/**/*.ts', 'web/**/*.tsx', 'web/**/*.ts'], {
    cwd: new URL('../src/', import.meta.url).pathname,
  });
  const texts = files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => {
      const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
      return [...source.matchAll(/'([A-Z][^'\n]*)'|="([A-Z][^"\n]*)"|>\s*([A-Z][^<>{}]*?)\s*</g)].map(
        ([, quoted, given, tagged]) => (quoted ?? given ?? tagged ?? '').replaceAll(/\s+/g, ' '),
      );
    });
  return new Set(
    [
      ...texts,
      ...[...commands.values()].map(({ title }) => title),
      ...allSettings.map(({ title }) => title),
    ].flatMap(withoutDots),
  );
}

/** What guides set in bold that other programs and pages say, and what stands at the head of an item. */
const foreign: ReadonlySet<string> = new Set([
  // Shortcuts on iPhone and iPad, and what a request has.
  ...'Shortcuts, Dictate Text, Ask for Input, Get Contents of URL, Format Date, Split Text'.split(', '),
  ...'Get Dictionary Value, Speak Text, Choose from List, Show in Share Sheet'.split(', '),
  ...'Shortcut Input, Open URLs, Show Result, JSON, PATCH'.split(', '),
  'Chrome, Edge and other Chromium browsers',
  'Safari on a Mac',
  'The command line',
  'One-time codes',
  // With the number of changes in it.
  'Send … , then disable',
  // The author that the server writes down, and a link of the invitation page.
  'E-mail',
  'Click here',
]);

describe('what guides show', () => {
  test('links are understood', () => {
    const guide = read('url-handlers');
    const samples = [...guide.matchAll(/^(?:%ORIGIN%(\/app\/open\/\S+)|(web\+posthaste:\S+))$/gm)];
    assert.ok(samples.length >= 2);
    for (const [text, path, own] of samples) assert.equal(readLink(path ?? own ?? '').ok, true, text);
    const id = '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77';
    const handlers = [...guide.matchAll(/^\| `([a-z-]+(?:\/[^`]+)?)` \| [a-z]/gm)].map(
      ([, path = '']) => path,
    );
    const macro = handlers.filter((path) => path.startsWith('run-macro'));
    assert.deepEqual(macro, ['run-macro/id/{id}']);
    assert.equal(readLink(`/app/open/${(macro[0] ?? '').replace('{id}', id)}`).ok, true);
    const [sample = ''] = guide.match(/\/app\/open\/quick-entry\?\S+/) ?? [];
    const task = readLink(sample);
    assert.ok(task.ok && task.value.type === 'task');
    assert.equal(task.value.task.title, 'Call the plumber');
    assert.deepEqual(task.value.task.due, { words: 'tomorrow 9am' });
    assert.deepEqual(task.value.task.problems, []);
    // Every parameter of the table is one that quick entry knows.
    const [table = ''] = /^\| Parameter [\s\S]*?\n\n/m.exec(guide) ?? [];
    const names = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name);
    assert.equal(names.length, 10);
    const all = readLink(`/app/open/quick-entry?${names.map((name) => `${name}=1`).join('&')}`);
    assert.ok(all.ok && all.value.type === 'task');
    assert.deepEqual(all.value.task.problems, []);
  });

  test('gradients and themes are taken as they stand', () => {
    const guide = read('themes');
    const gradients = [...guide.matchAll(/```css\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim());
    assert.equal(gradients.length, 2);
    for (const gradient of gradients) assert.equal(gradientProblem(gradient), null, gradient);
    const [, tokens = ''] = /```\n(surface: [\s\S]*?)```/.exec(guide) ?? [];
    const own = readOwnTokens(tokens);
    assert.equal(own.problem, null);
    assert.equal(Object.keys(own.tokens).length, 4);
  });

  test('lines become what the guide to importing says', () => {
    const titles = (text: string) => parseOutlineText(text).map(({ title, done }) => [title, done]);
    for (const line of ['- milk', '* milk', '• milk', '1. milk', 'a) milk'])
      assert.deepEqual(titles(line), [['milk', undefined]], line);
    for (const line of ['[ ] milk', '☐ milk']) assert.deepEqual(titles(line), [['milk', false]], line);
    for (const line of ['[x] milk', '☑ milk']) assert.deepEqual(titles(line), [['milk', true]], line);
    assert.deepEqual(titles('\\- not a bullet'), [['- not a bullet', undefined]]);
    assert.deepEqual(parseOutlineText('- milk\n  two litres\n'), [
      { title: 'milk', notes: 'two litres', children: [] },
    ]);
    assert.deepEqual(parseOutlineText('milk\n  > two litres'), [
      { title: 'milk', notes: 'two litres', children: [] },
    ]);
    assert.equal(parseOutlineText('milk\n  oats')[0]?.children[0]?.title, 'oats');
  });

  test('what the guides call commands, settings and buttons is what the app calls them', () => {
    const known = wordsOfTheApp();
    const wrong = guideList
      .filter(({ status }) => status === 'built')
      .flatMap(({ id }) =>
        namesIn(read(id))
          .filter(({ name, command }) =>
            command === undefined ? !known.has(name) && !foreign.has(name) : !titlesOf(command).has(name),
          )
          .map(({ name, command }) => `${id}: ${name}${command === undefined ? '' : ` (${command})`}`),
      );
    assert.deepEqual(wrong, []);
  });
});
