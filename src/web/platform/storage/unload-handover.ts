// What was not on the disk when a page was closed or reloaded. Nothing that takes a turn can be written then, so it goes into
// the small storage, and the next page of the profile, or one that is open beside, makes it. Not here: making it.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import type { SmallStorage } from './local-storage.ts';
import type { Unsaved } from './unsaved.ts';

const keyOf = (profile: Id) => `posthaste.unsaved.${profile}`;

function read(storage: SmallStorage, profile: Id): readonly Unsaved[] {
  try {
    const found: unknown = JSON.parse(storage.getItem(keyOf(profile)) ?? '[]');
    return Array.isArray(found) ? (found as readonly Unsaved[]) : [];
  } catch (error) {
    // Cut off while it was written: what it held is on the disk, or was lost with the power.
    console.warn('What was left when a page was closed cannot be read.', error);
    return [];
  }
}

/** Commits what is being typed when the page goes, and leaves what the disk does not have. The returned function ends that. */
export function leaveWhenGone(app: App, storage: SmallStorage, profile: Id): () => void {
  const leave = () => {
    app.commitText();
    const { engine } = app;
    leaveUnsaved(storage, { profile, scope: engine.replica.scope, operations: engine.unsaved() });
  };
  window.addEventListener('pagehide', leave);
  return () => window.removeEventListener('pagehide', leave);
}

/** What an earlier page left and nobody has made yet stays. */
function leaveUnsaved(storage: SmallStorage, unsaved: Unsaved): void {
  if (unsaved.operations.length === 0) return;
  try {
    storage.setItem(
      keyOf(unsaved.profile),
      JSON.stringify([...read(storage, unsaved.profile), unsaved] satisfies Unsaved[]),
    );
  } catch (error) {
    // Full. There is nobody left to tell; the disk may have taken it all the same.
    console.warn('What was not saved could not be left for the next page.', error);
  }
}

/** The profile is given up, or was taken in whole by another one. */
export function forgetLeft(storage: SmallStorage, profile: Id): void {
  storage.removeItem(keyOf(profile));
}

const isSame = (one: Unsaved, other: Unsaved) => one.operations[0]?.u === other.operations[0]?.u;

/**
 * Makes what closed pages of the profile left, now and whenever one beside this closes. `make` resolves when it is durable, and
 * may be asked for the same more than once. `taken`: what was there when this began is made, or it failed.
 */
export function takeLeft(
  storage: SmallStorage,
  profile: Id,
  make: (unsaved: Unsaved) => Promise<void>,
): { readonly taken: Promise<void>; readonly stop: () => void } {
  const watching = new AbortController();
  const take = async (): Promise<void> => {
    const left = read(storage, profile);
    if (left.length === 0) return;
    for (const unsaved of left) await make(unsaved);
    // Other pages may have been closed meanwhile, or have taken the same.
    const later = read(storage, profile).filter((unsaved) => !left.some((made) => isSame(made, unsaved)));
    if (later.length === 0) storage.removeItem(keyOf(profile));
    else storage.setItem(keyOf(profile), JSON.stringify(later));
  };
  const start = () =>
    void take().catch((error: unknown) => console.warn('It is made at the next start.', error));
  window.addEventListener(
    'storage',
    (event) => {
      if (event.key === keyOf(profile) && event.newValue !== null) start();
    },
    { signal: watching.signal },
  );
  // A page that was put aside and comes back has what it left.
  window.addEventListener('pageshow', ({ persisted }) => persisted && start(), { signal: watching.signal });
  const taken = take();
  taken.catch((error: unknown) => console.warn('It is made at the next start.', error));
  return { taken, stop: () => watching.abort() };
}
