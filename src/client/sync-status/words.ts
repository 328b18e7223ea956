// The messages for events noticed by reportSync. Loaded when there is something to say.
import { counted } from '#core/counted.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { makeAnew } from '../importing/anew.ts';
import { takeToInbox } from './deleted-lists.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { Mood } from './news.ts';

/** Reports changes that were refused, replaced or delayed. */
export function tellRecovered(program: Program, all: readonly RecoveredItem[]): void {
  const news = makeAnew(program, takeToInbox(program, all));
  const more = news.length;
  if (more === 0) return;
  const lost = news.find(({ verdict }) => verdict === 'superseded');
  if (lost && news.every(({ verdict }) => verdict === 'superseded')) {
    const about = quoted(nameOf(program.replica.row(lost.operation.id)));
    const what = more === 1 ? `${about} was` : `${about} and ${more - 1} more were`;
    program.say(`${what} changed elsewhere. Your text is under “Show recovered changes.”`);
    return;
  }
  if (news.every(({ verdict }) => verdict === 'parked')) {
    const what = more === 1 ? 'A change is waiting' : `${more} changes are waiting`;
    program.say(`${what} for another device to restore what the server lost.`);
    return;
  }
  const [list, ...others] = new Set(news.map((item) => item.list));
  const where = list === undefined || others.length > 0 ? '' : ` in ${quoted(list)}`;
  const subject = more === 1 ? `A change${where} was` : `${more} changes${where} were`;
  program.say(`${subject} refused and kept. See “Show recovered changes.”`, { error: true });
}

/** The server had lost changes and got them back from this device. */
export function tellRestored(program: Program, count: number): void {
  const items = counted(count, 'item');
  program.say(`The server lost some changes. Restored ${items} from this device.`);
}

function outdatedText(state: SyncState): string {
  return state.type === 'outdated' && state.which === 'app'
    ? 'This app is too old for the server. Reload it. Your changes are kept on this device.'
    : 'The server is older than this app. Your changes stay on this device until it’s updated.';
}

/** What is said while nothing is accepted, and once it is over. */
const TROUBLES: Readonly<Partial<Record<Mood, readonly [began: string, ended: string]>>> = {
  locked: [
    'This device is locked. What you write is kept here until it has the key.',
    'This device has the key now. What you wrote while it was locked is being sent.',
  ],
  full: [
    'The server is full and can’t accept changes. They’re kept on this device.',
    'The server has room again. What it couldn’t accept is being sent.',
  ],
  refusing: [
    'The server isn’t accepting changes. They’re kept on this device.',
    'The server had a problem and couldn’t accept changes. It’s over, and they’re being sent.',
  ],
};

/** Announces a new state. */
export function speak(program: Program, now: Mood, before: Mood): void {
  const [began] = TROUBLES[now] ?? [];
  if (began !== undefined) program.messages.announce(began);
  const [, ended] = TROUBLES[before] ?? [];
  if (now === 'fine' && ended !== undefined) program.messages.announce(ended);
  switch (now) {
    case 'offline':
      program.messages.announce('Offline. Your changes are kept on this device.');
      break;
    case 'failing':
      program.say('This device can’t save. Keep this window open or you’ll lose your changes.', {
        error: true,
      });
      break;
    case 'signedOut':
      program.say('You’ve been signed out. Keep working, and sign in to sync.', { error: true });
      break;
    case 'outdated':
      program.say(outdatedText(program.engine.state.get()), { error: true });
      break;
    case 'fine':
      if (before === 'offline') program.messages.announce('Back online.');
      if (before === 'failing') program.say('Saving works again.');
      break;
    case 'off':
      if (before === 'failing') program.say('Saving works again.');
      break;
    default:
      break;
  }
}
