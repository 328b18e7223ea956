// The door to the views that the first screen does without: loaded when idle, or when a command first needs them.
import { createSignal, type Signal } from '#client/app/signal.ts';
import type * as rest from './rest.ts';

const loaded = createSignal<typeof rest | null>(null);

/** The views that come later; null while they are not here. */
export type LaterViews = typeof rest | null;

/** Null while they are not here. */
export const restViews: Signal<LaterViews> = loaded;

/** Rejects when they cannot be loaded; asking again tries again. */
export async function loadViews(): Promise<void> {
  if (loaded.get() !== null) return;
  const views = await import('./rest.ts');
  // A dialog is drawn as soon as it is asked for: what is typed then is typed into it.
  await views.loadDialogContent();
  loaded.set(views);
}
