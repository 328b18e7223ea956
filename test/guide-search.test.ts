// What people type into the search of the guides, and the guide that they mean.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import MiniSearch from 'minisearch';
import { guideList } from '#site/content/guide-list.ts';
import { indexOptions, searchGuides } from '#site/search-options.ts';
import { searchSections } from '#site/search-sections.ts';

const FOLDER = new URL('../src/site/guides/', import.meta.url);

/** By query, the guides of which one stands first. */
const meant: Readonly<Record<string, string>> = {
  'keyboard shortcuts': 'hotkeys',
  vim: 'hotkeys',
  'change a hotkey': 'hotkeys',
  emacs: 'emacs-hotkeys',
  'dark mode': 'themes',
  'font size': 'themes',
  reminder: 'snoozing',
  notifications: 'snoozing',
  postpone: 'snoozing',
  'recurring tasks': 'repeating-tasks',
  'repeat every month': 'repeating-tasks',
  'due date': 'start-dates',
  'natural language': 'start-dates',
  'quick entry': 'start-dates',
  'how to share a list': 'shared-lists',
  'public link': 'public-list-links',
  siri: 'mobile',
  'shortcuts on iphone': 'mobile',
  android: 'mobile',
  'import todoist': 'todoist-import',
  backup: 'exporting',
  'export json': 'exporting',
  offline: 'web-app',
  'how do i undo': 'web-app',
  trash: 'web-app',
  'time machine': 'web-app',
  'change password': 'web-app',
  'delete my account': 'web-app',
  'install on mac': 'web-app',
  regex: 'find-and-replace',
  tags: 'labels',
  priority: 'labels',
  projects: 'bookmarked-tasks',
  folders: 'bookmarked-tasks',
  'archive a list': 'bookmarked-tasks',
  subtasks: 'focus-tasks',
  'how do i move a task': 'focus-tasks',
  email: 'creating-tasks-via-email',
  zapier: 'api',
  'command line': 'api',
  mcp: 'api',
  'api token': 'api',
  attachments: 'notes',
  e2ee: 'encryption',
  'completed tasks disappear': 'search-operators',
  filter: 'smart-lists',
  today: 'smart-lists',
  'custom css': 'custom-js',
  'deep link': 'url-handlers',
  'refer a friend': 'affiliates',
  'local only': 'disabling-cloud-sync',
  'paste a list': 'importing',
};

describe('the search of the guides', () => {
  const texts = Object.fromEntries(
    guideList.map(({ id }) => [id, readFileSync(new URL(`${id}.md`, FOLDER), 'utf8')]),
  );
  const index = new MiniSearch(indexOptions);
  index.addAll(searchSections(texts));
  const first = (query: string) => String(searchGuides(index, query)[0]?.id).replace(/^\/guides\/|#.*$/g, '');

  test('what people type leads to the guide that they mean', () => {
    const found = Object.fromEntries(Object.keys(meant).map((query) => [query, first(query)]));
    assert.deepEqual(found, meant);
  });

  test('a question finds as much as its words, and what no guide has finds what is nearest', () => {
    assert.equal(first('how do i do it with the labels?'), 'labels');
    assert.equal(first('labels frobnicate'), 'labels');
    assert.deepEqual(searchGuides(index, 'frobnicate'), []);
  });
});
