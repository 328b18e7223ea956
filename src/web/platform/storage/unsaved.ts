// What a page could not write before it lost its turn or was closed, made by another one. Not here: how it gets there
// (rescue.ts, unload-handover.ts).
import { makeHandedOver } from '#client/app/handed-over.ts';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { Engine } from '#sync/replica/replica-types.ts';

/** Changes that a page could not write to the database, with the profile and scope they belong to. */
export interface Unsaved {
  readonly profile: Id;
  readonly scope: Id;
  readonly operations: readonly Operation[];
}

/** Resolves when it is durable; may be asked for the same again. */
export async function makeUnsaved(engine: Engine, { scope, operations }: Unsaved): Promise<void> {
  await engine.loaded();
  // What reached the disk after all is there already.
  const known = new Set(engine.facts().pending.map(({ u }) => u));
  makeHandedOver(engine, { scope, operations: operations.filter(({ u }) => !known.has(u)) });
  await engine.flushed();
}
