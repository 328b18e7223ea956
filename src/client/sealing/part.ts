// End-to-end encryption of a person's own tasks: its commands, and the word that a device is locked. The dialog is lazy (lazy.ts); what
// seals and opens is sync/sealing.
import type { Id } from '#core/ids.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { Action } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { isForList, keepsEncrypted, writesLocked } from './writes-locked.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { define, type Command } from '../commands/define.ts';
import type { KeyInput } from '../keys/stroke.ts';
import { LOCKED_WHY, lockedWhy } from '../outline/locked-words.ts';
import { needsSealing, openSealing, type SealingStart } from './lazy.ts';
import { TypingOn } from './typing-on.ts';

interface Offer {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly start: SealingStart;
}

const offers: readonly Offer[] = [
  {
    id: 'sealing.turnOn',
    title: 'Encrypt everything…',
    aliases: ['end-to-end encryption', 'E2EE', 'turn on encryption', 'enable encryption'],
    start: 'turnOn',
  },
  {
    id: 'sealing.turnOff',
    title: 'Turn off encryption…',
    aliases: ['disable encryption', 'decrypt everything'],
    start: 'turnOff',
  },
  {
    id: 'sealing.unlock',
    title: 'Unlock with recovery code…',
    aliases: ['locked tasks', 'enter recovery code', 'open encrypted tasks'],
    start: 'unlock',
  },
  {
    id: 'sealing.ask',
    title: 'Get the key from another device…',
    aliases: ['pair this device', 'unlock with another device', 'compare words'],
    start: 'ask',
  },
  {
    id: 'sealing.give',
    title: 'Give the key to another device…',
    aliases: ['pair a device', 'unlock another device', 'add a device'],
    start: 'give',
  },
  {
    id: 'sealing.newCode',
    title: 'Show a new recovery code…',
    aliases: ['recovery code', 'lost recovery code', 'change the recovery code'],
    start: 'newCode',
  },
  {
    id: 'sealing.passphrase',
    title: 'Set an encryption passphrase…',
    aliases: ['passphrase for a new device', 'change the passphrase', 'remove the passphrase'],
    start: 'passphrase',
  },
  {
    id: 'sealing.rotate',
    title: 'Make a new key…',
    aliases: ['lost device', 'change the encryption key', 'rotate keys', 'lock out a device'],
    start: 'rotate',
  },
  {
    id: 'sealing.forget',
    title: 'Forget the key on this device…',
    aliases: ['lock this device', 'remove the encryption key', 'lock encrypted tasks'],
    start: 'forget',
  },
  {
    id: 'sealing.overview',
    title: 'Encryption on this device…',
    aliases: ['encryption keys', 'is encryption on', 'keys and devices'],
    start: 'overview',
  },
];

const commandOf = ({ id, title, aliases, start }: Offer): Command =>
  define({
    id,
    title,
    aliases,
    group: 'Account',
    icon: 'key',
    when: (program) => needsSealing(program, start),
    run: (program) => openSealing(program, start),
  });

const LOCKED =
  'Your tasks are encrypted, and this device is locked. Run “Unlock with recovery code” from the command palette.';

const LIST_APART =
  'This encrypted list isn’t open on this device, so nothing was moved there, or from there. “People and link of this list” says how to open it.';
const LIST_LOCKED =
  'This encrypted list isn’t open on this device, so nothing was written in it. “People and link of this list” says how to open it.';
const APART =
  'Nothing was moved. Tasks go between encrypted lists and shared ones when this device has the key, and not while encryption is being turned on or off.';

const LIST_ROWS =
  'An encrypted list is locked on this device. Run “Unlock with recovery code” from the command palette.';

const LEFT = 'This shared list isn’t encrypted: what you moved there is decrypted.';
const LEFT_HOME = 'Your own lists aren’t encrypted: what you moved there is decrypted.';

/** Says once that rows came which don't open, and keeps them from being written over. Says what leaves the encrypted lists. */
class LockedRows implements PartHooks {
  readonly #program: Program;
  #isSaid = false;
  readonly #typing = new TypingOn();
  /** A key is being pressed. */
  #isByKey = false;
  /** Why the last line wasn’t written. */
  #refused = '';

  constructor(program: Program) {
    this.#program = program;
    program.replica.learnToKeep(keepsEncrypted);
  }

  keeps(id: Id, register?: 'notes'): boolean {
    const row = this.#program.replica.row(id);
    const why = lockedWhy(row, register ?? (row?.type === 'list' ? 'name' : 'title'));
    if (why !== null) this.#refuseLine(why);
    return why !== null;
  }

  /** A line isn’t written: what is typed for it runs no commands. */
  #refuseLine(why: string): void {
    this.#refused = why;
    // Who clicks a row may want to move it by a key.
    if (this.#isByKey) this.#typing.begin(this.#program.replica.now());
    this.#sayLater(why);
  }

  press(input: KeyInput): boolean {
    const { dialog, replica } = this.#program;
    this.#isByKey = true;
    if (dialog.get() !== null || !this.#typing.takes(input, replica.now())) return false;
    this.#program.say(this.#refused);
    return true;
  }

  beforeSettle(): void {
    this.#isByKey = false;
  }

  forbidden(asked: readonly Action[]): void {
    const { replica, engine } = this.#program;
    const { isApart, lists } = engine.facts();
    const copy = { meta: { ...(lists && { lists }) }, row: (id: Id) => replica.row(id) };
    if (asked.some((action) => isForList(replica.row(action.id), action, copy))) {
      const isMove = asked.some(({ a }) => a === 'place');
      this.#sayLater(isMove ? LIST_APART : LIST_LOCKED);
      return;
    }
    if (!isApart) return;
    const isLocked = asked.some((action) => writesLocked(replica.row(action.id), action));
    this.#sayLater(isLocked ? LOCKED_WHY : APART);
  }

  /** After what the command says. */
  #sayLater(text: string): void {
    this.#program.later(() => this.#program.say(text));
  }

  /** What is said of a change that takes a row from where it is encrypted to a list that isn't; null: it doesn't. */
  #leftWords({ before, after }: RowChange): string | null {
    const [from, to] = [placeOf(before)?.parent, placeOf(after)?.parent];
    if (from === undefined || to === undefined || from === to) return null;
    const { replica } = this.#program;
    const { isApart, lists } = this.#program.engine.facts();
    const scopeOf = (id: Id) => replica.row(id)?.scope ?? replica.scope;
    const isEncrypted = (id: Id) =>
      scopeOf(id) === replica.scope ? isApart : lists?.[scopeOf(id)] !== undefined;
    if (!isEncrypted(from) || isEncrypted(to)) return null;
    return scopeOf(to) === replica.scope ? LEFT_HOME : LEFT;
  }

  #isAnyEncrypted(): boolean {
    const { isApart, lists } = this.#program.engine.facts();
    return isApart || lists !== undefined;
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    if (cause === 'local' && this.#isAnyEncrypted()) {
      const [left] = changes.flatMap((change) => this.#leftWords(change) ?? []);
      if (left !== undefined) this.#sayLater(left);
    }
    if (this.#isSaid) return;
    const locked = changes.filter(({ after }) => lockedOf(after) !== undefined);
    if (locked.length === 0) return;
    this.#isSaid = true;
    const { scope } = this.#program.replica;
    this.#program.say(locked.some(({ after }) => after?.scope === scope) ? LOCKED : LIST_ROWS);
  }
}

/** End-to-end encryption. */
export const sealing = definePart({
  name: 'Encryption',
  create: (program) => new LockedRows(program),
  commands: offers.map(commandOf),
  dialogs: { sealing: { name: 'Encryption', isWide: true, takesMouse: true } },
});
