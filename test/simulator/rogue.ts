// A program that speaks the protocol well and means no good: operations that no honest client would queue. The server must
// answer each with a verdict, and the reference model must agree with it.
import { createIdSource, inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncRequest } from '#wire/sync.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import type { Network } from './network.ts';
import type { SeededRandom } from './random.ts';
import { EPOCH_MS } from './server.ts';

function oddity(random: SeededRandom, scope: Id, newId: () => Id, known: readonly Id[]): Action {
  const some = (): Id => (known.length > 0 && random.chance(0.7) ? random.pick(known) : newId());
  const title = 'x'.repeat(random.pick([1, 4_001]));
  const odd: readonly Action[] = [
    { a: 'create', id: some(), type: 'task', fields: { title }, place: { parent: some() } },
    {
      a: 'create',
      id: newId(),
      type: 'task',
      fields: { 'meta:a': 'm'.repeat(900), 'meta:b': 'm'.repeat(900) },
      place: { parent: inboxId(scope) },
    },
    {
      a: 'create',
      id: newId(),
      type: 'task',
      fields: {},
      place: { parent: random.pick([listsRoot(scope), labelsRoot(scope)]) },
    },
    { a: 'create', id: newId(), type: 'task', fields: {} },
    { a: 'create', id: newId(), type: 'mine', fields: { of: some() } },
    { a: 'create', id: newId(), type: 'completion', fields: { task: some(), occ: 0, at: 1, title: '' } },
    { a: 'create', id: newId(), type: 'attachment', fields: {}, place: { parent: some() } },
    {
      a: 'create',
      id: newId(),
      type: 'list',
      fields: { listType: 'inbox' },
      place: { parent: listsRoot(scope) },
    },
    { a: 'create', id: newId(), type: 'label', fields: {}, place: { parent: labelsRoot(scope) } },
    {
      a: 'set',
      id: some(),
      field: random.pick(['place', 'occ', 'del', '__proto__', 'title', 'value', 'due']),
      value: random.pick([null, 9, 'x', true]),
    },
    { a: 'set', id: some(), field: 'title', value: 'undone', only: random.between(1, 50) },
    { a: 'place', id: some(), place: { parent: some(), after: some() } },
    { a: 'delete', id: some() },
    { a: 'restore', id: some(), only: random.between(1, 50) },
    {
      a: 'complete',
      id: some(),
      occ: random.below(4),
      at: 5,
      next: random.pick([null, { due: null, start: null }]),
    },
    {
      a: 'reopen',
      id: some(),
      occ: random.below(3),
      previous: random.pick([null, { due: { on: '2026-01-01' }, start: null }]),
    },
  ];
  return random.pick(odd);
}

/** Sends a handful of oddities under a device id of their own. */
export async function sendOddities(
  network: Network,
  actor: AccountActor,
  random: SeededRandom,
): Promise<void> {
  const newId = createIdSource({ now: () => EPOCH_MS, random: (bytes) => random.fill(bytes) });
  const scope = actor.personalScope;
  const known = network.knownIds(scope);
  const ops = Array.from({ length: random.between(1, 6) }, (_, index) => ({
    ...oddity(random, scope, newId, known),
    q: index + 1,
    u: newId(),
    scope: random.chance(0.95) ? scope : newId(),
    t: EPOCH_MS + random.between(-1_000_000, 1_000_000),
    b: random.pick([0, 0, 3, 1_000_000]),
  }));
  const request: SyncRequest = {
    schema: protocolVersion,
    device: newId(),
    clientNow: EPOCH_MS,
    ops,
    // Who has seen more verdicts than the server gave is ahead of it, and is judged only when it stands where the server stands.
    ack: random.chance(0.9) ? 0 : random.below(9),
    cursors: {},
    maxRows: 1,
  };
  await network.deliver(actor, request);
}
