// What is said when replication changes: offline and online again, a disk that refuses, a session that ended, changes
// that the server refused. Once per change, never for ordinary progress.
import type { Engine, SyncState } from '#sync/replica-types.ts';
import { quoted } from './editor.ts';
import type { Program } from './program.ts';
import { nameOf } from './row-facts.ts';

type Mood = 'fine' | 'offline' | 'refusing' | 'failing' | 'signedOut' | 'outdated' | 'off';

function moodOf(state: SyncState): Mood {
  if (state.type === 'onDevice') {
    if (state.trouble !== undefined) return 'refusing';
    return state.online ? 'fine' : 'offline';
  }
  if (state.type === 'unsaved') return state.failing ? 'failing' : 'fine';
  if (state.type === 'detached') return 'off';
  return state.type === 'signedOut' || state.type === 'outdated' ? state.type : 'fine';
}

/** Whether the state says more than that no answer has come yet. */
function isKnown(state: SyncState): boolean {
  if (state.type === 'onDevice') return state.online;
  return ['synced', 'local', 'signedOut', 'outdated'].includes(state.type);
}

/** Returns the unsubscription. */
export function reportSync(engine: Engine, program: Program): () => void {
  let knows = isKnown(engine.state.get());
  let mood = knows ? moodOf(engine.state.get()) : 'fine';
  let refused = engine.recovered.get().length;
  let restored = engine.restored.get();
  const onState = () => {
    const state = engine.state.get();
    knows ||= isKnown(state);
    const before = mood;
    // Before the first answer could be there, its absence is no news.
    const isEarly = moodOf(state) === 'offline' && (before === 'off' || (!knows && !program.isSettled));
    const next = isEarly ? before : moodOf(state);
    mood = next;
    program.act(() => {
      if (next !== before) speak(program, next, before);
    });
  };
  const onRecovered = () => {
    const count = engine.recovered.get().length;
    const more = count - refused;
    refused = count;
    if (more <= 0 || program.isKeeping) return;
    const news = engine.recovered.get().slice(-more);
    const lost = news.find(({ verdict }) => verdict === 'superseded');
    if (lost && news.every(({ verdict }) => verdict === 'superseded')) {
      const about = quoted(nameOf(program.replica.row(lost.operation.id)));
      const what = more === 1 ? `${about} was` : `${about} and ${more - 1} more were`;
      program.act(() =>
        program.say(`${what} changed elsewhere. What you wrote is under “Show recovered changes”.`),
      );
      return;
    }
    if (news.every(({ verdict }) => verdict === 'parked')) {
      const what = more === 1 ? 'A change waits' : `${more} changes wait`;
      program.act(() => program.say(`${what} for another device to bring back what the server lost.`));
      return;
    }
    const subject = more === 1 ? 'A change was' : `${more} changes were`;
    program.act(() =>
      program.say(`${subject} refused and kept. See “Show recovered changes”.`, { error: true }),
    );
  };
  const onRestored = () => {
    const count = engine.restored.get() - restored;
    restored += count;
    const items = count === 1 ? '1 item' : `${count} items`;
    if (count > 0)
      program.act(() => program.say(`The server had lost changes. Restored ${items} from this device.`));
  };
  const redraw = () => program.act(() => undefined);
  const { device } = program.platform;
  const stops = [
    engine.state.subscribe(onState),
    engine.recovered.subscribe(onRecovered),
    engine.restored.subscribe(onRestored),
    device.notices.subscribe(redraw),
    device.facts.subscribe(redraw),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function outdatedText(state: SyncState): string {
  return state.type === 'outdated' && state.which === 'app'
    ? 'This app is too old for the server: reload. Changes are kept on this device.'
    : 'The server is older than this app. Changes are kept on this device until it is updated.';
}

function speak(program: Program, now: Mood, before: Mood): void {
  switch (now) {
    case 'offline':
      program.messages.announce('Offline. Changes are kept on this device.');
      break;
    case 'refusing':
      program.messages.announce('The server takes no changes now. They are kept on this device.');
      break;
    case 'failing':
      program.say('This device cannot save. Changes are in memory only; keep this window open.', {
        error: true,
      });
      break;
    case 'signedOut':
      program.say('Your session is over. Work goes on here; sign in to synchronise.', { error: true });
      break;
    case 'outdated':
      program.say(outdatedText(program.engine.state.get()), { error: true });
      break;
    case 'fine':
      if (before === 'offline') program.messages.announce('Online again.');
      if (before === 'refusing') program.messages.announce('The server takes changes again.');
      if (before === 'failing') program.say('Changes are saved again.');
      break;
    case 'off':
      if (before === 'failing') program.say('Changes are saved again.');
      break;
    default:
      break;
  }
}
