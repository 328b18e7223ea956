// Messages about replication: offline and online again, a failing disk, an ended session, changes that the server
// refused. Once per change, never for ordinary progress.
import type { Engine, SyncState } from '#sync/replica/replica-types.ts';
import { withNews } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';

/** The state of replication from a person's point of view. */
export type Mood =
  | 'fine'
  | 'offline'
  | 'refusing'
  | 'full'
  | 'locked'
  | 'failing'
  | 'signedOut'
  | 'outdated'
  | 'off';

function moodOf(state: SyncState): Mood {
  if (state.type === 'onDevice') {
    // What the disk of this device does has that name.
    if (state.trouble !== undefined) return state.trouble === 'failing' ? 'refusing' : state.trouble;
    return state.online ? 'fine' : 'offline';
  }
  if (state.type === 'unsaved') return state.failing ? 'failing' : 'fine';
  if (state.type === 'detached') return 'off';
  return state.type === 'signedOut' || state.type === 'outdated' ? state.type : 'fine';
}

/** Whether the state means more than a pending first answer. */
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
    // Before the first answer can have arrived, its absence is no news.
    const isEarly = moodOf(state) === 'offline' && (before === 'off' || (!knows && !program.isSettled));
    const next = isEarly ? before : moodOf(state);
    mood = next;
    const isAsked = next === 'signedOut' && program.isLeaving;
    program.act(() => {
      if (next !== before && !isAsked) withNews(program, ({ speak }) => speak(program, next, before));
    });
  };
  const onRecovered = () => {
    const count = engine.recovered.get().length;
    const more = count - refused;
    refused = count;
    if (more <= 0 || program.isKeeping) return;
    const news = engine.recovered.get().slice(-more);
    withNews(program, ({ tellRecovered }) => tellRecovered(program, news));
  };
  const onRestored = () => {
    const count = engine.restored.get() - restored;
    restored += count;
    if (count > 0) withNews(program, ({ tellRestored }) => tellRestored(program, count));
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
