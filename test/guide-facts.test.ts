// What each guide must say, and that what it shows is so: facts of the specification as phrases, links, themes and pasted
// lines as the program reads them. How the pages look is test/browser/site.test.ts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gradientProblem, readOwnTokens } from '#client/settings/own-look.ts';
import { readLink } from '#client/links/read.ts';
import { parseOutlineText } from '#core/formats/outline-text.ts';
import { guideList } from '#site/content/guide-list.ts';

const SITE = new URL('../src/site/', import.meta.url);
const fileOf = (page: string) => [`guides/${page}.md`, `texts/${page}.md`].map((path) => new URL(path, SITE));

function read(page: string): string {
  const file = fileOf(page).find((url) => existsSync(url));
  assert.ok(file, `there is no text of ${page}`);
  return readFileSync(file, 'utf8');
}

/** Words alone: without marks, addresses of links and ends of lines. */
function plain(text: string): string {
  return text
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\[\[[^\]]*\]\]/g, ' ')
    .replaceAll(/[*`[\]>|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,:;?!)])/g, '$1')
    .toLowerCase();
}

/** By page: what its text contains, whatever its marks; `[[…]]`, `{{…}}` and what begins with `](` as it is written. */
const facts: Readonly<Record<string, readonly string[]>> = {
  'command-palette': ['[[palette.open]]'],
  labels: ['group', 'exclude', 'private', 'shared', 'key of its own', '[[label.pick]]'],
  notes: [
    'markdown',
    'lists have notes',
    'attachments',
    '[[notes.edit]]',
    '[[file.attachClipboard]]',
    '25 mb',
  ],
  snoozing: ['schedule', '[[task.snooze]]', 'due date'],
  'start-dates': ['grey', 'not started', '[[task.start]]'],
  'repeating-tasks': [
    'from the due date',
    'complete',
    'subtasks',
    'not cleared',
    'settings',
    '[[task.repeat]]',
  ],
  'focus-tasks': ['[[task.focusIn]]', '[[task.focusOut]]'],
  'bookmarked-tasks': ['like a project', '[[bookmark.toggle]]'],
  'smart-lists': [
    'nested',
    'enable:nested',
    'disable:nested',
    'enable:duplicates',
    'disable:duplicates',
    'tab behavior',
    'attachments',
  ],
  'search-operators': ['is:uncleared', 'disable:nested', 'enable:duplicates', '[[search.open]]'],
  'find-and-replace': ['titles', 'regular expression'],
  'shared-lists': [
    'anyone with the link can join',
    'add, delete and alter tasks',
    'rename or archive the list',
    'share it further',
    'full access',
    'not end-to-end encrypted',
    'decrypts its data first',
    'few minutes',
    'selection is live',
    'initials or an emoji',
    'leaving removes your access',
    'rejoining needs a new invitation link',
    'invalid invitation link',
    '[[list.share]]',
    'leave shared list',
    '](/contact)',
  ],
  'public-list-links': [
    'add tasks',
    'complete tasks',
    'edit titles',
    'edit notes',
    'view labels',
    'permissions of its own',
    'public name',
    'logo',
    'repeating tasks do not repeat',
    'unavailable for smart lists and folders',
    'labels are hidden',
    'few minutes',
    'deleting a link stops it working immediately',
  ],
  api: [
    'bearer token',
    'copy api access token',
    'app store',
    'post /lists/{list_id}/duplicate',
    'get /tasks',
    'patch /tasks/{task_id}',
    'delete /tasks/{task_id}',
    'sessions/sign_in',
    'default: inbox',
    'default: end',
    'not both',
    'exact in case and spaces',
    'duration_minutes',
    'an integer',
    'add_label_names',
    'add_label_ids',
    'remove_label_names',
    'remove_label_ids',
    'ids override names',
    'is_cleared',
    'on an incomplete task it is an error',
    'incomplete or complete',
    'updated_before',
    'updated_after',
    'up to 250',
    'ordered by updated_at',
    'lists and labels at the top level',
    'shared ones included',
    'smart list',
    'all strings',
    '1,024 characters',
    '{#metadata}',
    '429',
    '```js',
    '```sh',
    '::table api calls',
    'posthaste mcp',
  ],
  'url-handlers': [
    'lists/id/{id}',
    'lists/path/{folder}/{list}',
    'quick-entry',
    'title',
    'dueattimestamp',
    'dueatquery',
    'startsattimestamp',
    'startsatquery',
    'durationminutes',
    'notes',
    'shouldselectitem',
    'shouldprepend',
    'except false',
    'exact in case and spaces',
    'repeat it for several',
    'create-list and create-folder need name',
    'get-selected-tasks',
    'posthaste selected',
    'tasks/id/{id}',
    'json file',
    'run-macro/id/{id}',
    'become its variables',
    'accept-list-invite/{token}',
    'purchase',
    'enter-promo-code/{promocode}',
  ],
  'creating-tasks-via-email': [
    'an email address of its own',
    '40 mb per month',
    '150 emails per day',
    '[[list.email]]',
    'attachments',
  ],
  macros: [
    'actions',
    'hotkey',
    'variables',
    '{{name}}',
    'double curly braces',
    'backslash',
    'must define a function updatevariables',
    'string values only',
    'current variables and the state',
    'selectedlist',
    'selectedtasks',
    'run-macro/id/{id}',
    '](/updating-macro-variables-with-javascript)',
  ],
  'custom-js': ['desktop app', 'javascript', 'css', '?safe', 'data-ph'],
  mobile: [
    'http shortcuts',
    'bulk_create',
    'shortcuts',
    'voice assistant',
    'iphone or ipad',
    '](/guides/api)',
    '429',
  ],
  'web-app': ['browser', 'without a network', 'install', 'devices is unlimited', '](/ios)'],
  themes: ['gradient', 'only the background-image property', 'accent', '?safe', '::table theme tokens'],
  'emacs-hotkeys': [
    'chords',
    'hotkey sync',
    'stops recording and cannot be part of a chord without modifiers',
    '[[keys.preset]]',
    '::table emacs keys In the outline',
  ],
  encryption: [
    'optional',
    'end-to-end encryption (e2ee)',
    'generates the keys',
    'your data is encrypted',
    'your data is decrypted',
    'the key stays on the device',
    'shared list is not end-to-end encrypted',
    'decrypts its data first',
    'few minutes',
    'labels are hidden',
  ],
  'disabling-cloud-sync': [
    'everything created or changed on this device while it was disabled is deleted first',
    'disable cloud sync',
    'enable cloud sync',
    '30 days',
    'safety copies',
  ],
  importing: [
    '[[task.paste]]',
    '[[file.import]]',
    'three other task apps',
    '](/guides/todoist-import)',
    '](/guides/things-import)',
    '](/guides/workflowy-import)',
    'nothing was imported',
  ],
  'todoist-import': ['projects, sections, tasks and labels', '[[file.import]]'],
  'things-import': ['areas, projects, to-dos and tags', '[[file.import]]'],
  'workflowy-import': ['notes and completed items', '[[file.import]]'],
  exporting: [
    'as json or as markdown',
    '[[export.accountJson]]',
    '[[export.markdown]]',
    '[[export.taskJson]]',
  ],
  affiliates: ['25% off the first year', '30% commission', '$10.80', '$14.40', '$16.20', '$21.60', '$36'],
  hotkeys: [
    'chords',
    'editor of keys',
    'hotkey sync',
    'stops recording and cannot be part of a chord without modifiers',
    '](/guides/emacs-hotkeys)',
    '[[help.keys]]',
    '::keys Everywhere',
  ],
  'scheduled-maintenance': [
    '15 to 30 minutes',
    'friday or saturday evenings, pacific time',
    'offline changes sync afterwards',
  ],
  'updating-macro-variables-with-javascript': [
    'function updateVariables(variables, state)',
    'values are all strings',
    '`\\{{name}}`',
    'selectedlist',
    'selectedtasks',
    ...'id title notes listID indentLevel completedAt clearedAt dueAt snoozedUntil startsAt timelessDueAt'.split(
      ' ',
    ),
    ...'timelessSnoozedUntil timelessStartsAt snoozeCount durationMinutes repeatValue repeatUnit'.split(' '),
    ...'minutes hours days weeks months years nth-weekday nth-business-day-of-month'.split(' '),
    ...'nth-weekend-day-of-month repeatUnitMetadata weekdays monthDays repeatFrom labels bookmarkedAt'.split(
      ' ',
    ),
    ...'metadata name colorHexString associatedSharedListID labelGroupID listType archivedAt'.split(' '),
    ...'smartListQuery persistentSortField persistentSortOrder tasks due-date start-date'.split(' '),
    ...'creation-date alphabetically label duration asc desc folder inbox smart completion'.split(' '),
    'last day',
    'due date',
  ],
};

describe('the guides', () => {
  test('every guide is written, and has its facts named here', () => {
    for (const { id } of guideList) assert.ok(facts[id], `${id}: no facts are named`);
    for (const page of Object.keys(facts)) read(page);
  });

  test('every fact that a guide must carry is in its text', () => {
    const missing = Object.entries(facts).flatMap(([page, phrases]) => {
      const text = read(page);
      const words = plain(text);
      return phrases
        .filter((phrase) => !text.includes(phrase) && !words.includes(phrase.toLowerCase()))
        .map((phrase) => `${page}: ${phrase}`);
    });
    assert.deepEqual(missing, []);
  });

  test('no guide names a key by hand that a command has', () => {
    const written = guideList.flatMap(({ id }) =>
      [...read(id).matchAll(/(?:press|Press) `[^`]+`/g)].map(([text]) => `${id}: ${text}`),
    );
    assert.deepEqual(written, []);
  });

  test('guides say what they are about before their first heading', () => {
    for (const { id } of guideList) assert.match(read(id), /^[^#\s]/, id);
  });
});

describe('what guides show', () => {
  test('links are understood, or known as those of parts that come later', () => {
    const guide = read('url-handlers');
    const samples = [...guide.matchAll(/^(?:%ORIGIN%(\/app\/open\/\S+)|(web\+posthaste:\S+))$/gm)];
    assert.ok(samples.length >= 2);
    for (const [text, path, own] of samples) assert.equal(readLink(path ?? own ?? '').ok, true, text);
    const id = '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77';
    const handlers = [...guide.matchAll(/^\| `([a-z-]+(?:\/[^`]+)?)` \| [a-z]/gm)].map(
      ([, path = '']) => path,
    );
    const later = handlers.filter((path) => {
      const link = readLink(`/app/open/${path.replace('{id}', id).replaceAll(/[{}]/g, '')}`);
      return link.ok && link.link.type === 'later';
    });
    assert.deepEqual(later, ['run-macro/id/{id}', 'accept-list-invite/{token}']);
    const [sample = ''] = guide.match(/\/app\/open\/quick-entry\?\S+/) ?? [];
    const task = readLink(sample);
    assert.ok(task.ok && task.link.type === 'task');
    assert.equal(task.link.task.title, 'Call the plumber');
    assert.deepEqual(task.link.task.due, { words: 'tomorrow 9am' });
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
});
