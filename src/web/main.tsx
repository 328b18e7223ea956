// The web app's entry: brings what old browsers lack, and runs the session.
// React, the stylesheets and the app are static imports: one request chain to the first screen.
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import type { App } from '#client/app/app.ts';
import { must } from '#core/assert.ts';
import { loadChecks } from './platform/late-checks.ts';
import { followLaunches, takeAddress } from './platform/launches.ts';
import { smallStorage } from './platform/storage/local-storage.ts';
import { createProfileStore } from './platform/account/profile.ts';
import { updates } from './platform/updates.ts';
import { newId, whenIdle } from './platform/world.ts';
import { loadNotes } from './notes/lazy.ts';
import { type Session, startSession } from './session.ts';
import { FailureScreen } from './views/screens.tsx';

const root = createRoot(must(document.getElementById('root'), 'the page has a root'));
/** `?perf` shows how long keys take. */
const isMeasuring = new URLSearchParams(location.search).has('perf');
let hideHud: (() => void) | null = null;
let leaveLook: (() => void) | null = null;
let leaveMouse: (() => void) | null = null;
let leaveTouch: (() => void) | null = null;
/** Taken before anything else looks at the address. */
let opened = takeAddress();
const profiles = createProfileStore(smallStorage, newId);

/** The app before it is gone, and its display with it. */
function followHud(hide: () => void): void {
  hideHud?.();
  hideHud = hide;
}

async function start(): Promise<void> {
  // Everything that reckons with dates needs it; browsers that have it load nothing.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  await work();
}

/** Kept ready, since the server may be out of reach when it is needed. */
const loadElsewhere = () => import('./elsewhere.tsx');

async function bringLook(app: App): Promise<void> {
  const { followLook } = await import('./platform/look.ts');
  leaveLook?.();
  leaveLook = followLook(app);
}

async function bringMouse(app: App): Promise<void> {
  const { followMouse } = await import('./platform/input/hardcore.ts');
  leaveMouse?.();
  leaveMouse = followMouse(app);
}

async function bringTouch(app: App): Promise<void> {
  leaveTouch?.();
  leaveTouch = null;
  if (!matchMedia('(any-pointer: coarse)').matches) return;
  leaveTouch = (await import('./platform/input/touch.ts')).followTouch(app);
}

/** In the order in which it may be wanted. */
const rest: readonly ((app: App) => unknown)[] = [
  bringLook,
  bringMouse,
  bringTouch,
  (app) =>
    'desktop' in window &&
    import('./platform/desktop/desktop.ts').then((desktop) => desktop.followDesktop(app)),
  (app) => app.loadRest(),
  loadChecks,
  loadElsewhere,
  loadNotes,
  () => import('#client/loading/lazy-parts.ts').then(({ loadLazyParts }) => loadLazyParts()),
  // What was attached and not sent yet is sent.
  (app) => app.platform.files(),
];

async function bringRest(app: App): Promise<void> {
  for (const bring of rest) {
    try {
      await bring(app);
    } catch (error) {
      // What comes after it does not wait. What keys want is asked for again by them; the next start asks for the rest.
      console.info('Couldn’t load part of the app.', error);
    }
  }
}

async function work(): Promise<void> {
  let isOver = false;
  let session: Session | null = null;
  session = await startSession({
    root,
    profiles,
    onApp: (app) => {
      if (isMeasuring) void import('./perf/hud.tsx').then(({ showHud }) => followHud(showHud(app)));
      whenIdle(() => void bringRest(app));
      followLaunches(app, opened);
      opened = null;
      updates.start();
    },
    // Without locks (plain HTTP on a network) this is how a tab learns that another one works.
    onTaken: (isNewer) => {
      // While it starts, the failure itself says so.
      if (isOver || !session) return;
      isOver = true;
      leave(session, isNewer).catch(fail);
    },
  });

  /** Storage refuses this tab's writes from now on, so it must not go on; but what is being typed is finished first. */
  async function leave(session: Session, isNewer: boolean): Promise<void> {
    const { keysAtRest, waitElsewhere } = await loadElsewhere();
    await keysAtRest();
    const unsaved = await session.close();
    const again = () => (isNewer ? location.reload() : void work().catch(fail));
    waitElsewhere(root, { unsaved, isNewer, work: again });
  }
}

function fail(error: unknown): void {
  console.error(error);
  root.render(<FailureScreen reason={error instanceof Error ? error.message : String(error)} />);
}

start().catch(fail);
