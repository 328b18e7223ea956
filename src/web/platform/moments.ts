// Moments at which something is worth doing: the network or the window came back, the page is about to go, a minute passed.
import type { App } from '#client/app/app.ts';

const MINUTE_MS = 60_000;

/** Whether closing the window now would lose what was typed. */
function endangers(app: App): boolean {
  const state = app.engine.state.get();
  if (state.type === 'unsaved') return state.failing;
  return state.type === 'volatile' && (state.waiting > 0 || (!state.account && app.engine.replica.size > 1));
}

/** Starts watching; the returned function stops it. `probe` looks whether the disk is still there. */
export function watchMoments(app: App, probe: () => void): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  const nudge = () => app.engine.nudge();
  window.addEventListener('online', nudge, { signal });
  window.addEventListener('offline', nudge, { signal });
  window.addEventListener('focus', nudge, { signal });
  // A page taken back from the cache may be hours old.
  window.addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted) nudge();
    },
    { signal },
  );
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState !== 'visible') return;
      app.tick();
      probe();
      nudge();
    },
    { signal },
  );
  window.addEventListener(
    'beforeunload',
    (event) => {
      if (endangers(app)) event.preventDefault();
    },
    { signal },
  );
  const minute = setInterval(() => {
    if (document.visibilityState === 'visible') app.tick();
  }, MINUTE_MS);
  return () => {
    clearInterval(minute);
    watching.abort();
  };
}
