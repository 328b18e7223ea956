// Where the app may name the person's own scope. Everything else is in the scope of what it is about or what it is put under,
// so each place has its reason here: what would belong elsewhere if it were about a shared list is noticed when it is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSources, withoutComments } from './sources.ts';

/** `replica.scope`, also of a facade or an engine, and the scope taken out of a replica. */
const NAMED = /\b(?:replica|held)\.scope\b|\{[^{}]*\bscope\b[^{}]*\}\s*=\s*[^;=]*\breplica\b\s*;/;

const OWN = 'what is one’s own: marks, settings, lessons';
const INBOX = 'the Inbox and the built-in lists, which only the personal scope has';
const TOP = 'new lists stand at the top of one’s own sidebar, and are one’s own until they are shared';
const SIDEBAR = 'the sidebar is one’s own, and so is where a shared list stands in it';
const LABELS = 'one’s own labels come first, and are meant where no scope is named; each scope has its own';
const SHARED = 'a list in another scope is shared';
const HISTORY = 'without a row, one’s own history is meant';
const WHOSE = 'says whose the operations are; each carries the scope that it is for';

const SEALED = 'one’s own scope alone is ever encrypted';
const UNREAD = 'what is in one’s own encrypted scope nobody else reads';
const ALONE = 'what belongs to others, too, is left alone';

const ALLOWED: Readonly<Record<string, string>> = {
  'src/client/app/empty-words.ts': INBOX,
  'src/client/app/handed-over.ts': WHOSE,
  'src/client/app/screen.ts': INBOX,
  'src/client/app/workspace.ts': INBOX,
  'src/client/clearing/automatic.ts': ALONE,
  'src/client/clearing/list-clearing.ts': SHARED,
  'src/client/commands/folding.ts': OWN,
  'src/client/commands/lists.ts': TOP,
  'src/client/commands/navigation.ts': INBOX,
  'src/client/entry/adding.ts': INBOX,
  'src/client/entry/question.ts': INBOX,
  'src/client/entry/quick-entry.ts': INBOX,
  'src/client/entry/reading.ts': INBOX,
  'src/client/entry/values.ts': OWN,
  'src/client/files/part.ts': SEALED,
  'src/client/files/sealed-contents.ts': SEALED,
  'src/client/history/book.ts': HISTORY,
  'src/client/history/feed.ts': HISTORY,
  'src/client/history/telling.ts': HISTORY,
  'src/client/history/undo-commands.ts': WHOSE,
  'src/client/history/words.ts': INBOX,
  'src/client/importing/anew.ts': OWN,
  'src/client/importing/context.ts': TOP,
  'src/client/labels/catalog.ts': LABELS,
  'src/client/labels/creating.ts': LABELS,
  'src/client/labels/hotkey.ts': OWN,
  'src/client/labels/label-scopes.ts': LABELS,
  'src/client/labels/manager.ts': LABELS,
  'src/client/labels/stray-labels.ts': UNREAD,
  'src/client/links/follow.ts': INBOX,
  'src/client/macros/script/state.ts': INBOX,
  'src/client/outline/details.ts': SHARED,
  'src/client/outline/list-dragging.ts': SIDEBAR,
  'src/client/outline/new-list.ts': TOP,
  'src/client/outline/task-sheet.ts': SHARED,
  'src/client/own-layer/mount-fields.ts': OWN,
  'src/client/own-layer/own-layer-commands.ts': SHARED,
  'src/client/outline/ownership.ts': ALONE,
  'src/client/outline/personal-fields.ts': OWN,
  'src/client/outline/sidebar.ts': SIDEBAR,
  'src/client/query/new-task.ts': INBOX,
  'src/client/query/open-smart.ts': INBOX,
  'src/client/query/smart-actions.ts': TOP,
  'src/client/search/built-in.ts': INBOX,
  'src/client/search/open-built-in.ts': INBOX,
  'src/client/reminders/context.ts': OWN,
  'src/client/sealing/lists.ts': SHARED,
  'src/client/sealing/part.ts': SHARED,
  'src/client/settings/settings.ts': OWN,
  'src/client/plan/gate.ts': INBOX,
  'src/client/plan/part.ts': OWN,
  'src/client/presence/part.ts': SHARED,
  'src/client/sharing/begun.ts': SHARED,
  'src/client/sharing/needs.ts': SHARED,
  'src/client/sharing/part.ts': SHARED,
  'src/client/sync-status/deleted-lists.ts': INBOX,
  'src/client/sync-status/detaching.ts': WHOSE,
  'src/client/sync-status/recovered-replay.ts': INBOX,
  'src/client/sync-status/sync-commands.ts': WHOSE,
  'src/client/sync-status/unsent-reading.ts': WHOSE,
  'src/client/taking-back/dialog.ts': SHARED,
  'src/client/taking-back/lazy.ts': SHARED,
  'src/client/teaching/lesson.ts': OWN,
  'src/client/teaching/part.ts': OWN,
  'src/client/together/assigning.ts': SHARED,
  'src/client/together/comments-dialog.ts': SHARED,
  'src/client/together/comments.ts': SHARED,
  'src/client/transfer/copies.ts': OWN,
  'src/client/transfer/documents.ts': TOP,
  'src/client/unread/device-owners.ts': OWN,
  'src/client/unread/part.ts': SHARED,
  'src/web/platform/storage/adoption.ts':
    'without an account there is one scope, which goes into the account’s own',
  'src/web/platform/storage/unload-handover.ts': WHOSE,
  'src/web/session.ts': WHOSE,
};

test('[SYNC-86] the app names the person’s own scope only where that is meant', () => {
  const sources = ['src/client', 'src/web'].flatMap((folder) => readSources(folder, /(?<!\.test)\.tsx?$/));
  const named = sources.filter(({ text }) => NAMED.test(withoutComments(text))).map(({ path }) => path);
  assert.deepEqual(named, Object.keys(ALLOWED).toSorted());
});
