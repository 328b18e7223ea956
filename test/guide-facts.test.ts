// What each guide must say: facts of the specification as phrases. That what guides show is so is guide-samples.test.ts; how the
// pages look is test/browser/site.test.ts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { guideList, informationPages } from '#site/content/guide-list.ts';

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
  'command-palette': ['[[palette.open]]', 'every command', 'shows the key of each command'],
  labels: [
    'a name, a color, and a key',
    'labels and label groups are private or shared',
    'labels exclude each other',
    'a key of its own',
    '[[label.pick]]',
    '[[label.manage]]',
    '[[label.createGroup]]',
    'label:phone',
  ],
  notes: [
    'in markdown',
    'lists have notes too',
    '[[notes.edit]]',
    '[[list.notes]]',
    '[[file.attach]]',
    '[[file.attachClipboard]]',
    '[[=Mod+V]]',
    '[[notes.openLink]]',
    '[[task.openLinks]]',
    'a file may have 25 mb',
  ],
  snoozing: [
    '[[task.snooze]]',
    'the due date stays, and so does the schedule of a repeating task',
    'moving the due date of a repeating task moves its schedule',
    'number of times a task was snoozed is kept',
    '[[view.snoozed]]',
    '[[task.remind]]',
  ],
  'start-dates': [
    '[[task.start]]',
    '[[task.due]]',
    '[[task.duration]]',
    '[[task.quickEntry]]',
    'grayed out',
    '[[view.unstarted]]',
    'is:future',
    '::table dates Days by name',
    '::table dates Weekdays',
    '::table dates Distances',
    '::table dates Days with times',
  ],
  'repeating-tasks': [
    '[[task.repeat]]',
    'counts from the due date',
    'counts from the day of its completion',
    'every 90 minutes',
    'every day',
    'every 2 weeks',
    'every mon wed fri',
    'every month on the 15th',
    'every month on the last day',
    'every first monday',
    'every last business day',
    'every first weekend day',
    'every year on feb 29',
    'snoozing keeps the schedule',
    'moves the schedule',
    'subtasks of a repeating task repeat with it',
    'not cleared away',
    'both can be turned off in settings, tab behavior',
    'repeating tasks will not repeat when they are checked off through a public link',
    '::table dates Repeats',
  ],
  'focus-tasks': ['[[task.focusIn]]', '[[task.focusOut]]', '[[task.createChild]]', '[[task.indent]]'],
  'bookmarked-tasks': [
    'acts like a project',
    '[[bookmark.toggle]]',
    '[[go.bookmark]]',
    'is:bookmarked',
    '[[list.archive]]',
    '[[folder.create]]',
  ],
  'smart-lists': [
    'a smart list is a search that stays',
    'enable:nested',
    'disable:nested',
    'enable:duplicates',
    'disable:duplicates',
    'turned off for all smart lists in settings, tab behavior',
    'turn them on again for one list',
    'a list, labels, a due date, start date or snooze date',
    'asks for words or for traits such as has:attachment',
    'adds nothing',
    'by due date, start date, creation date, title, label or duration',
    'either way round',
    '[[search.save]]',
  ],
  'search-operators': [
    '[[search.open]]',
    '::table operators',
    '::table is values',
    '::table has values',
    'is:uncleared finds what was completed and not cleared',
    'clearing is automatic',
    'unless you turn it off',
    'a task cannot be cleared while it is incomplete',
    'disable:nested',
    'enable:nested',
    'disable:duplicates',
    'enable:duplicates',
  ],
  'find-and-replace': ['only titles are changed', 'simple text', 'regex', '[[edit.replace]]'],
  'shared-lists': [
    'anyone with the link can join',
    'add, delete and alter tasks',
    'rename or archive the list',
    'share it further',
    'full access',
    'the data of a shared list is not end-to-end encrypted',
    'everybody in a shared list has full access',
    'in a color',
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
    'see that name instead',
    'public name',
    'logo',
    'repeating tasks do not repeat',
    'unavailable for smart lists and folders',
    'encryption is on, labels are hidden',
    'not shared before decrypts its data first, which takes a few minutes',
    'deleting a link stops it working immediately',
  ],
  api: [
    'needs a bearer token',
    'the answer has token, success and user',
    'the one thing that is required',
    'yyyy-mm-dd',
    'start or end',
    'snoozed_until',
    'timeless_snoozed_until',
    'starts_at',
    'timeless_starts_at',
    'due_at',
    'timeless_due_at',
    'is_complete',
    'name is optional',
    'where both are given, these count',
    'listing tasks, lists or labels 10 200',
    'creating, updating, deleting 60 1,000',
    'get /lists returns all lists',
    '](/api-reference)',
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
    'quick-entry adds a task to the inbox, quick-entry/id/{id} and quick-entry/path/{folder}/{list} to a list',
    'with /id/{id} or /path/{folder} they make it inside that folder',
    'ids of the selected tasks and of the open list into a json file',
    '| `title` |',
    '| `dueAtTimestamp` |',
    '| `dueAtQuery` |',
    '| `startsAtTimestamp` |',
    '| `startsAtQuery` |',
    '| `durationMinutes` |',
    '| `notes` |',
    '| `shouldSelectItem` |',
    '| `shouldPrepend` |',
    'except false',
    'exact in case and spaces',
    '| `label` |',
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
    'has its own email address',
    'more than 40 mb per month',
    'an average of 150 emails per day',
    '[[list.email]]',
    'attached files attachments',
    'is:emailed',
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
  'custom-js': [
    'css of your own',
    '[[look.customcss]]',
    'stays on this device and doesn’t sync',
    'can have 100,000 characters',
    'javascript of your own only runs in the desktop app, which isn’t out yet',
    '?safe',
    '[[look.customcsson]]',
    'data-ph',
  ],
  mobile: [
    'http shortcuts',
    'bulk_create',
    'shortcuts',
    'voice assistant',
    'iphone or ipad',
    '](/guides/api)',
    '429',
  ],
  'web-app': [
    'in a browser',
    'works offline from your second visit',
    'install it',
    'the number of devices is unlimited',
    '](/ios)',
    '[[history.travel]]',
    '[[go.trash]]',
    '[[account.safety]]',
  ],
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
    '[[=Mod+V]]',
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
    'export this task as json',
    'export this list as markdown',
    'export everything as json',
    'download unsynced changes',
  ],
  affiliates: [
    'a promo code of your own',
    '25% off the first year',
    '$36 for the first year instead of $48',
    '30% commission, for as long as they stay subscribed',
    'the yearly plan $10.80 $14.40',
    'the monthly plan $16.20 $21.60',
    'no purchase is needed when they start',
    'applied automatically when they subscribe',
    'enter promo code',
    '60 days',
    '](/press-kit.zip)',
  ],
  hotkeys: [
    'chords',
    'the hotkey editor',
    'hotkey sync',
    'with key chords enabled, stops recording and cannot be part of a chord without modifiers',
    '](/guides/emacs-hotkeys)',
    '[[help.keys]]',
    '[[view.hardcore]]',
    'within 50 ms',
    '::keys Everywhere',
    '::keys In the outline',
  ],
  privacy: [
    '__posthaste-ref',
    '__posthaste-ph',
    '60 days',
    'network addresses',
    'an hour or two for most',
    'mail that you send to a list',
    'no network addresses, no titles, no searches, no tokens',
    'it is encrypted for your browser',
    '400 days',
    'switched off the keys of the guides',
  ],
  eula: [
    "at least 30 days' notice",
    'material change',
    'limited to the amount you have paid us',
    '$48 a year or $6 a month',
    'no one-time purchase',
    'any number of devices',
    'two-week trial',
    'no credit card, no restricted features',
  ],
  'calendar-integration-private-beta': ['a read-only view', 'time-blocking of tasks', 'private'],
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
    // Each field and each value, as it stands in the tables.
    ...(
      'id title notes listID indentLevel completedAt clearedAt dueAt snoozedUntil startsAt ' +
      'timelessDueAt timelessSnoozedUntil timelessStartsAt snoozeCount durationMinutes ' +
      'repeatValue repeatUnit minutes hours days weeks months years nth-weekday ' +
      'nth-business-day-of-month nth-weekend-day-of-month repeatUnitMetadata weekdays ' +
      'monthDays repeatFrom labels bookmarkedAt metadata name colorHexString ' +
      'associatedSharedListID labelGroupID listType archivedAt smartListQuery ' +
      'persistentSortField persistentSortOrder tasks due-date start-date creation-date ' +
      'alphabetically label duration asc desc folder inbox smart completion'
    )
      .split(' ')
      .map((name) => `\`${name}\``),
    'last day',
    'due date',
  ],
};

describe('the guides', () => {
  test('every guide is written, and has its facts named here', () => {
    for (const { id } of guideList) assert.ok(facts[id], `${id}: no facts are named`);
    for (const page of informationPages)
      if (page !== 'measured') assert.ok(facts[page], `${page}: no facts are named`);
    for (const page of Object.keys(facts)) read(page);
  });

  test('no fact is said by a title alone, and none is so short that any text has it', () => {
    const empty = Object.entries(facts).flatMap(([page, phrases]) =>
      phrases.length < 2 || new Set(phrases).size < phrases.length ? [page] : [],
    );
    assert.deepEqual(empty, []);
    // A text that says something else must fail: what belongs to one guide is not in all of them.
    const texts = guideList.map(({ id }) => plain(read(id)));
    const everywhere = Object.entries(facts).flatMap(([page, phrases]) =>
      phrases
        .filter((phrase) => texts.filter((text) => text.includes(phrase.toLowerCase())).length > 12)
        .map((phrase) => `${page}: ${phrase}`),
    );
    assert.deepEqual(everywhere, []);
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
