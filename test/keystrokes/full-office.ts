// The office with more in it: a list that sorts itself, a smart list, a repeating task, levels of which one is collapsed.
import { mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { SCOPE, START } from './desk-engine.ts';
import type { Desk, DeskOptions } from './desk.ts';
import { id, office } from './office.ts';

export function fullOffice(options: DeskOptions = {}): Desk {
  const desk = office(options);
  const task = (title: string, parent: Id, fields: Record<string, unknown> = {}): Action => ({
    a: 'create',
    id: id(title),
    type: 'task',
    fields: { title, ...fields },
    place: { parent },
  });
  const list = (name: string, fields: Record<string, unknown>): Action => ({
    a: 'create',
    id: id(name),
    type: 'list',
    fields: { listType: 'list', name, ...fields },
    place: { parent: SCOPE },
  });
  const weekly = {
    value: 1,
    unit: 'weeks',
    metadata: null,
    from: 'due date',
    missed: 'skip',
    anchorDay: null,
  };
  desk.replica.issue([
    list('Sorted', { sort: { field: 'due-date', order: 'asc' }, notes: 'about it' }),
    list('Due soon', { listType: 'smart', query: 'is:due OR is:open' }),
    task('Water plants', id('Sorted'), { due: { on: '2026-11-27' }, repeat: weekly }),
    task('Fill the can', id('Water plants')),
    task('Call', id('Sorted'), { due: { on: '2026-11-20' }, notes: 'see https://a.test and https://b.test' }),
    task('Deep', id('Pay rent')),
    task('Rake leaves', id('Garden'), { status: { done: START } }),
    task('Sow', id('Garden')),
    task('Buy seeds', id('Sow')),
    task('Compare', id('Buy seeds')),
    {
      a: 'create',
      id: mineId(SCOPE, id('Buy seeds')),
      type: 'mine',
      fields: { of: id('Buy seeds'), collapsed: true },
    },
  ]);
  return desk;
}
