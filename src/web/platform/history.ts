// Gives each place an entry in the browser's history, so that its Back and Forward lead from place to place as the app's
// own keys do. The address stays the same: places are private.
import type { App } from '#client/app.ts';
import type { Id } from '#core/ids.ts';

interface Entry {
  /** Which running app wrote it: positions of an earlier one mean nothing now. */
  readonly run: number;
  readonly visit: number;
  readonly place: string;
}

function isEntry(state: unknown): state is Entry {
  return (
    typeof state === 'object' && state !== null && 'visit' in state && 'run' in state && 'place' in state
  );
}

/** A place of an earlier run, as far as a command leads there. */
function openPlace(app: App, place: string): void {
  const [type, id] = place.split(':');
  if (type === 'trash') app.run('go.trash');
  else if (type === 'list' && id) app.run('go.list', { list: id as Id });
}

/** On a phone Back first closes what lies above the place. False: nothing does. */
function closeLayer(app: App): boolean {
  const { view } = app;
  if (!matchMedia('(width < 768px)').matches) return false;
  const layers: readonly (readonly [isThere: boolean, command: string])[] = [
    [view.dialog.get() !== null, 'dialog.close'],
    [view.palette.get() !== null, 'palette.close'],
    [view.sidebar.visible.get(), 'view.sidebar'],
    [view.notes.get() !== null, 'notes.toggle'],
    [view.status.get().selected > 0, 'outline.escape'],
    [view.search.get() !== null, 'search.leave'],
  ];
  const top = layers.find(([isThere]) => isThere);
  if (top) app.run(top[1]);
  return top !== undefined;
}

/** Starts following; the returned function stops it. `run` differs from that of every earlier app in this tab. */
export function followHistory(app: App, run: number): () => void {
  const { visit } = app.view;
  let position = visit.get();
  /** The browser moved first, or is about to move because we asked: nothing is to be written. */
  let isFollowing = false;
  let asked = 0;
  const entry = (): Entry => ({
    run,
    visit: visit.get(),
    place: app.platform.preferences.get('place') ?? '',
  });

  function onVisit(): void {
    const by = visit.get() - position;
    position = visit.get();
    if (isFollowing) return;
    if (by > 0) history.pushState(entry(), '');
    else {
      asked += 1;
      history.go(by);
    }
  }

  function onPop({ state }: PopStateEvent): void {
    if (asked > 0) {
      asked -= 1;
      return;
    }
    if (!isEntry(state)) return;
    if (state.run === run && state.visit < position && closeLayer(app)) {
      // What lay above the place is gone; the place stays.
      asked += 1;
      history.go(position - state.visit);
      return;
    }
    isFollowing = true;
    if (state.run !== run) openPlace(app, state.place);
    else {
      const command = state.visit < position ? 'go.back' : 'go.forward';
      for (let left = Math.abs(state.visit - position); left > 0; left -= 1) app.run(command);
    }
    isFollowing = false;
    history.replaceState(entry(), '');
  }

  history.replaceState(entry(), '');
  const stop = visit.subscribe(onVisit);
  window.addEventListener('popstate', onPop);
  return () => {
    stop();
    window.removeEventListener('popstate', onPop);
  };
}
