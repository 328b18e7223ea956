// The words for what reportSync notices. Loaded when there is something to say.
import { counted } from '#core/counted.ts';
import type { RecoveredItem } from '#sync/ports.ts';
import type { SyncState } from '#sync/replica-types.ts';
import { quoted } from './editor.ts';
import type { Program } from './program.ts';
import { nameOf } from './row-facts.ts';
import type { Mood } from './sync-news.ts';

/** Says what became of changes that were refused, replaced or made to wait. */
export function tellRecovered(program: Program, news: readonly RecoveredItem[]): void {
  const more = news.length;
  const lost = news.find(({ verdict }) => verdict === 'superseded');
  if (lost && news.every(({ verdict }) => verdict === 'superseded')) {
    const about = quoted(nameOf(program.replica.row(lost.operation.id)));
    const what = more === 1 ? `${about} was` : `${about} and ${more - 1} more were`;
    program.say(`${what} changed elsewhere. What you wrote is under “Show recovered changes”.`);
    return;
  }
  if (news.every(({ verdict }) => verdict === 'parked')) {
    const what = more === 1 ? 'A change waits' : `${more} changes wait`;
    program.say(`${what} for another device to bring back what the server lost.`);
    return;
  }
  const subject = more === 1 ? 'A change was' : `${more} changes were`;
  program.say(`${subject} refused and kept. See “Show recovered changes”.`, { error: true });
}

/** A server that had lost changes took them back from this device. */
export function tellRestored(program: Program, count: number): void {
  const items = counted(count, 'item');
  program.say(`The server had lost changes. Restored ${items} from this device.`);
}

function outdatedText(state: SyncState): string {
  return state.type === 'outdated' && state.which === 'app'
    ? 'This app is too old for the server: reload. Changes are kept on this device.'
    : 'The server is older than this app. Changes are kept on this device until it is updated.';
}

/** Says what is so from now on. */
export function speak(program: Program, now: Mood, before: Mood): void {
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
