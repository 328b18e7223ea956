// That cloud sync is off, noted apart from the database: when the database is emptied or has lost who it is, the next
// start must not send what was never to be sent. The database's own word counts where it can be read.
import { readRecord } from '#core/json.ts';
import type { Id } from '#core/ids.ts';
import type { Detached } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { SmallStorage } from './local-storage.ts';

const keyOf = (profile: Id) => `posthaste.detached.${profile}`;

/** Null when cloud sync was on, or nothing readable was noted. */
export function readDetachedMark(storage: SmallStorage, profile: Id): Detached | null {
  const { at, after } = readRecord(storage.getItem(keyOf(profile))) as Partial<Detached>;
  const isMark = Number.isSafeInteger(at) && Array.isArray(after) && after.every(Number.isSafeInteger);
  return isMark ? ({ at, after } as Detached) : null;
}

/** The mark goes with the profile. */
export function forgetDetachedMark(storage: SmallStorage, profile: Id): void {
  storage.removeItem(keyOf(profile));
}

/** Follows the engine. The mark goes when the disk has taken what ends it. The returned function stops. */
export function keepDetachedMark(engine: Engine, storage: SmallStorage, profile: Id): () => void {
  let noted: string | null = storage.getItem(keyOf(profile));
  const note = () => {
    const state = engine.state.get().type;
    if (state === 'loading') return;
    const { detached } = engine.facts();
    if (detached !== null) {
      const text = JSON.stringify(detached);
      if (text !== noted) storage.setItem(keyOf(profile), (noted = text));
    } else if (noted !== null && state !== 'unsaved') {
      noted = null;
      void engine.flushed().then(() => {
        if (engine.facts().detached === null) storage.removeItem(keyOf(profile));
      });
    }
  };
  note();
  return engine.state.subscribe(note);
}
