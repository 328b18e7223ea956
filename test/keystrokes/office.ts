// A desk with folders, lists, labels and tasks that have all kinds of things: what searches and smart lists are tried on.
import assert from 'node:assert/strict';
import { deriveId, labelsRoot, mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk, type DeskOptions } from './desk.ts';

/** The id of what has this name in the office. */
export const id = (name: string): Id => deriveId('test', name);

function list(name: string, fields: Record<string, unknown> = {}, parent: Id = SCOPE): Action {
  return {
    a: 'create',
    id: id(name),
    type: 'list',
    fields: { listType: 'list', name, ...fields },
    place: { parent },
  };
}

function task(title: string, parent: Id, fields: Record<string, unknown> = {}): Action {
  return { a: 'create', id: id(title), type: 'task', fields: { title, ...fields }, place: { parent } };
}

/** A folder Work with Reports in it, labels in a group, and tasks with all kinds of things. */
export function office(options: DeskOptions = {}): Desk {
  const desk = new Desk('> Pay rent\n  Buy milk ✓', options);
  const label = (name: string, parent: Id): Action => ({
    a: 'create',
    id: id(name),
    type: 'label',
    fields: { name },
    place: { parent },
  });
  const { verdicts } = desk.replica.issue([
    list('Work', { listType: 'folder' }),
    list('Reports', {}, id('Work')),
    list('Garden'),
    {
      a: 'create',
      id: id('Priority'),
      type: 'labelGroup',
      fields: { name: 'Priority' },
      place: { parent: labelsRoot(SCOPE) },
    },
    label('High', id('Priority')),
    label('Waiting', labelsRoot(SCOPE)),
    task('Quarterly café report', id('Reports'), {
      due: { on: '2026-11-27' },
      [`label:${id('High')}`]: true,
      duration: 30,
      notes: 'see https://example.test/numbers',
    }),
    task('Collect numbers', id('Quarterly café report'), { due: { on: '2026-11-25' }, 'meta:ticket': '42' }),
    task('Archive the old one', id('Reports'), { status: { done: START, cleared: START } }),
    task('Plant tulips', id('Garden'), { start: { on: '2026-12-02' }, [`label:${id('Waiting')}`]: true }),
    {
      a: 'create',
      id: mineId(SCOPE, id('Plant tulips')),
      type: 'mine',
      fields: { of: id('Plant tulips'), bookmarkedAt: START, snooze: { on: '2026-11-30' } },
    },
  ]);
  assert.ok(verdicts.every((verdict) => verdict === 'ok'));
  return desk;
}
