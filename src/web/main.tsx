// The web app's entry: brings what old browsers lack, waits for this tab's turn, and runs the session.
// React, the stylesheets and the app are static imports: one request chain to the first screen.
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { writeUnsent } from '#client/unsent-file.ts';
import { must } from '#core/assert.ts';
import { saveFile } from './platform/files.ts';
import { loadChecks } from './platform/late-checks.ts';
import { smallStorage } from './platform/local-storage.ts';
import { createProfileStore } from './platform/profile.ts';
import { offerUnsaved, type Unsaved } from './platform/rescue.ts';
import { createTabs, type Turn } from './platform/tabs.ts';
import { updates } from './platform/updates.ts';
import { newId, whenIdle } from './platform/world.ts';
import { startSession } from './session.ts';
import { loadDialogContent } from './views/dialog-host.tsx';
import { ElsewhereScreen, FailureScreen } from './views/screens.tsx';

const root = createRoot(must(document.getElementById('root'), 'the page has a root'));
const profiles = createProfileStore(smallStorage, newId);
const tabs = createTabs();

async function start(): Promise<void> {
  // Everything that reckons with dates needs it; browsers that have it load nothing.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const turn = await tabs.tryTurn();
  if (turn) await work(turn);
  else waitElsewhere();
}

/** Waits for a turn; meanwhile what this tab could not write is offered to the one that works. */
function waitElsewhere(unsaved: Unsaved | null = null): void {
  let left = unsaved;
  let isTaking = false;
  const draw = () =>
    root.render(
      <ElsewhereScreen
        isTaking={isTaking}
        unsaved={left?.operations.length ?? 0}
        onTake={take}
        onDownload={() => left && download(left)}
      />,
    );
  const take = () => {
    if (isTaking) return;
    isTaking = true;
    draw();
    // What is still here is offered to this tab itself, once it works.
    tabs.takeTurn().then(work).catch(fail);
  };
  draw();
  if (!left) return;
  void offerUnsaved(left, newId()).then(() => {
    left = null;
    if (!isTaking) draw();
  });
}

function download({ scope, operations }: Unsaved): void {
  const text = writeUnsent({ scope, operations, recovered: [] }, { email: null, at: Date.now() });
  saveFile('Posthaste unsynced changes.json', 'application/json', text);
}

async function work(turn: Turn): Promise<void> {
  let isOver = false;
  const session = await startSession({
    root,
    profiles,
    onApp: () => {
      whenIdle(() => void loadDialogContent());
      whenIdle(() => void loadChecks());
      updates.start();
    },
    // Without locks this is how a tab learns that another one works.
    onTaken: (isNewer) => {
      if (isNewer)
        fail(new Error('A newer version of Posthaste works on this device’s data. Reload to use it.'));
      else leave();
    },
  });
  const stopListening = tabs.onAsked(() => leave());

  /** Writes what can be written, makes room, and waits. */
  function leave(): void {
    if (isOver) return;
    isOver = true;
    stopListening();
    session
      .close()
      .then((unsaved) => {
        turn.end();
        waitElsewhere(unsaved);
      })
      .catch(fail);
  }

  // Taken by force: storage refuses this tab's writes from now on, so it must not go on.
  void turn.over.then(leave);
}

function fail(error: unknown): void {
  console.error(error);
  root.render(<FailureScreen reason={error instanceof Error ? error.message : String(error)} />);
}

start().catch(fail);
