// Labels in histories of several scopes (scopes.ts): what one device says of a label of a task that another one moves.
import { labelsRoot, type Id } from '#core/ids.ts';
import type { DeviceReplica } from '#sync/replica/replica.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Hits } from './hits.ts';
import type { SeededRandom } from './random.ts';

/** A write that was seen makes the next one later by a millisecond; that never reaches the next step. */
export const LEAST_STEP_MS = 500;

interface Told {
  readonly replica: DeviceReplica;
}

/** The ids of the rows of a type that a device shows. */
export const shownBy = ({ replica }: Told, type: Row['type']): Id[] =>
  [...replica.all()].filter((row) => row.type === type).map(({ id }) => id);

interface Crossing<D extends Told & { push(): Promise<unknown> }> {
  readonly random: SeededRandom;
  /** Who moves things is among the first two. */
  readonly devices: readonly D[];
  readonly hits: Hits;
  wait(ms: number): void;
  tell(device: D, actions: readonly Action[], atomic?: boolean): void;
}

/**
 * One device puts a label on a task, or takes it off, and another one does the contrary a moment later and takes the task
 * elsewhere; it is heard first.
 */
export async function crossLabels<D extends Told & { push(): Promise<unknown> }>(
  world: Crossing<D>,
): Promise<void> {
  const { random, devices, hits } = world;
  const [writer, mover] = [random.pick(devices), random.pick(devices.slice(0, 2))];
  const both = (type: Row['type']): Id[] =>
    shownBy(mover, type).filter((id) => writer.replica.row(id)?.type === type);
  const [tasks, labels, lists] = [both('task'), both('label'), shownBy(mover, 'list')];
  if (writer === mover || tasks.length === 0 || labels.length === 0 || lists.length === 0) return;
  const id = random.pick(tasks);
  const near = labels.filter((label) => mover.replica.row(label)?.scope === mover.replica.row(id)?.scope);
  const label = random.pick(near.length > 0 && random.chance(0.8) ? near : labels);
  const isOn = random.chance(0.7);
  const say = (value: true | null): Action => ({ a: 'set', id, field: `label:${label}`, value });
  world.tell(writer, [say(isOn ? true : null)]);
  world.wait(random.between(LEAST_STEP_MS, 60_000));
  const move: Action = { a: 'place', id, place: { parent: random.pick(lists) } };
  const contrary = say(isOn ? null : true);
  world.tell(mover, random.chance(0.7) ? [contrary, move] : [move, contrary], random.chance(0.3));
  await mover.push();
  world.wait(random.between(LEAST_STEP_MS, 60_000));
  await writer.push();
  hits.hit('label put on and taken off around a move');
}

/** Makes a label at the top of a scope. */
export function newLabel(id: Id, scope: Id, name: string): Action {
  return { a: 'create', id, type: 'label', fields: { name }, place: { parent: labelsRoot(scope) } };
}
