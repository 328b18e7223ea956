// The web app's entry: brings what old browsers lack, waits for this tab's turn, and runs the session.
// React, the stylesheets and the app are static imports: one request chain to the first screen.
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { must } from '#core/assert.ts';
import { createProfileStore } from './platform/profile.ts';
import { createTabs, type Turn } from './platform/tabs.ts';
import { startUpdates } from './platform/updates.ts';
import { newId, whenIdle } from './platform/world.ts';
import { startSession } from './session.ts';
import { loadDialogContent } from './views/dialog-host.tsx';
import { ElsewhereScreen, FailureScreen } from './views/screens.tsx';

const root = createRoot(must(document.getElementById('root'), 'the page has a root'));
const profiles = createProfileStore(localStorage, newId);
const tabs = createTabs();

async function start(): Promise<void> {
  // Everything that reckons with dates needs it; browsers that have it load nothing.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const turn = await tabs.tryTurn();
  if (turn) await work(turn);
  else waitElsewhere();
}

function waitElsewhere(): void {
  const take = () => {
    root.render(<ElsewhereScreen isTaking onTake={() => {}} />);
    tabs.takeTurn().then(work).catch(fail);
  };
  root.render(<ElsewhereScreen isTaking={false} onTake={take} />);
}

async function work(turn: Turn): Promise<void> {
  const session = await startSession({
    root,
    profiles,
    onApp: () => {
      whenIdle(() => void loadDialogContent());
      startUpdates();
    },
  });
  const stopListening = tabs.onAsked(() => {
    stopListening();
    void session
      .close()
      .then(() => turn.end())
      .then(waitElsewhere)
      .catch(fail);
  });
  // Taken by force: storage refuses this tab's writes from now on, so it must not go on.
  void turn.over.then(async () => {
    stopListening();
    waitElsewhere();
    await session.close();
  });
}

function fail(error: unknown): void {
  console.error(error);
  root.render(<FailureScreen reason={error instanceof Error ? error.message : String(error)} />);
}

start().catch(fail);
