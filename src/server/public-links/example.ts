// Publishes an example: a list with a few tasks in somebody's account, and a public link to it that permits looking and nothing else. For
// operators who want to show what a public list is.
import type { ActionOf } from '#sync/rows/operation.ts';
import { listsRoot, type Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { mostPublicLinks } from '#wire/public-links.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { SharedLists } from '../sharing/shared-lists.ts';
import type { SharingProblem } from '../sharing/sharing-problems.ts';
import { serverFor, sharingDevice } from '../sharing/plans.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { LinkStore } from './links.ts';

interface ExampleTask {
  readonly title: string;
  readonly notes?: string;
  readonly isDone?: true;
  readonly beneath?: readonly ExampleTask[];
}

const NAME = 'A weekend in Lisbon';
const TASKS: readonly ExampleTask[] = [
  { title: 'Book the train to the airport', isDone: true },
  {
    title: 'Pack',
    beneath: [
      { title: 'Passport and cards', isDone: true },
      { title: 'Shoes for walking uphill' },
      { title: 'Charger', notes: 'The short one fits the socket on the train.' },
    ],
  },
  {
    title: 'See',
    beneath: [{ title: 'Alfama, early' }, { title: 'Tile museum', notes: 'Closed on Mondays.' }],
  },
  { title: 'Write a postcard' },
];

/** What publishing an example needs. */
export interface ExamplePorts {
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly lists: Pick<SharedLists, 'share'>;
  readonly links: Pick<LinkStore, 'make' | 'tokenOf'>;
  readonly newId: () => Id;
  readonly now: () => number;
}

/** The tasks of the example, each after the one it is in. */
function created(
  { newId, now }: Pick<ExamplePorts, 'newId' | 'now'>,
  tasks: readonly ExampleTask[],
  parent: Id,
): readonly ActionOf<'create'>[] {
  return tasks.flatMap(({ title, notes, isDone, beneath = [] }) => {
    const id = newId();
    const fields = {
      title,
      ...(notes === undefined ? {} : { notes }),
      ...(isDone ? { status: { done: Math.round(now()) } } : {}),
    };
    const task = { a: 'create', id, type: 'task', fields, place: { parent } } as const;
    return [task, ...created({ newId, now }, beneath, id)];
  });
}

/** Resolves with the token of the link. */
export async function publishExample(
  ports: ExamplePorts,
  person: { readonly account: number; readonly personal: Id },
): Promise<Result<string, SharingProblem>> {
  const { exchange, lists, links, newId } = ports;
  const { account, personal: scope } = person;
  const list = newId();
  const [x, g] = [newId(), newId()];
  const place = { parent: listsRoot(scope), at: 'end' } as const;
  const root = {
    a: 'create',
    id: list,
    type: 'list',
    fields: { listType: 'list', name: NAME },
    place,
  } as const;
  const actions = [root, ...created(ports, TASKS, list)];
  const actor: AccountActor = serverFor(person, [[scope, 'owner']]);
  const refused = await exchange.carryOut(actor, sharingDevice(account), {
    scopes: [scope],
    want: { rows: [], ancestors: [], siblings: [] },
    decide: () => actions.map((action) => ({ scope, action, u: newId(), x, g })),
  });
  if (refused !== null) return failed({ code: 'internal', message: 'The example list could not be made.' });
  const shared = await lists.share(actor, list, false);
  if (!shared.ok) return shared;
  const link = { scope: shared.value.scope, account, name: null, keys: null, may: 0 };
  const made = await links.make(link, mostPublicLinks);
  const token = made === null ? null : links.tokenOf(made);
  return token === null
    ? failed({ code: 'internal', message: 'The link could not be made. Try again.' })
    : ok(token);
}
