// Whether a slot has to be drawn again: any difference in what it shows counts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId } from '#core/ids.ts';
import { plainRow as row } from './plain-row.ts';
import { sameRow } from '#client/outline/rows-view.ts';
import type { RowView } from '#client/app/view.ts';

const otherwise: RowView = {
  id: deriveId('other'),
  line: 'other',
  index: 1,
  y: 1,
  height: 2,
  head: 1,
  heading: { text: 'Today', detail: 'Friday', count: '2', isLate: false },
  dueTime: '17:00',
  dueTone: 'today',
  level: 2,
  kind: 'list',
  title: 'Other',
  locked: true,
  found: [[0, 1]],
  done: true,
  cursor: true,
  selected: true,
  editing: true,
  expanded: true,
  posInSet: 2,
  setSize: 2,
  childCount: 1,
  childrenDone: 1,
  hasNotes: true,
  hasFiles: true,
  comments: 2,
  assignee: { name: 'Ann', text: 'A', color: '#336699', ink: '#ffffff', isFormer: false },
  bookmarked: true,
  due: { text: 'today', overdue: false },
  start: 'starts tomorrow',
  snoozed: 'snoozed until tomorrow',
  repeats: 'every day',
  reminds: true,
  unread: true,
  planned: 'planned today, 2:00 PM',
  duration: '5 min',
  labels: [{ id: deriveId('label'), name: 'High', color: '#aa0000' }],
  path: 'Inbox',
  trashed: 'deleted today',
  tokens: [
    { kind: 'due', act: '', lead: 'due ', said: 'due tomorrow', text: 'tomorrow', at: 0, state: 'counts' },
  ],
};

describe('rows', () => {
  test('a difference in anything that is shown makes another row', () => {
    assert.ok(sameRow(row, { ...row }));
    for (const [key, value] of Object.entries(otherwise))
      assert.ok(!sameRow(row, { ...row, [key]: value }), key);
  });
});
