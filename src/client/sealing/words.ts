// What the dialog of encryption says of what went wrong.
import { counted } from '#core/counted.ts';
import { failed } from '#core/result.ts';
import type { KeyWay } from '#sync/sealing/directory.ts';
import type { UnlockProblem } from '#sync/sealing/device-keys.ts';
import type { PairingProblem } from '#sync/sealing/pairing-desk.ts';
import type { TurnProblem } from '#sync/sealing/turning.ts';

/** Groups of a code have four signs, so a longer word is none. */
const NO_PASSPHRASE =
  'This isn’t a recovery code, and no passphrase opens your tasks now. A new key ends the passphrase of before it.';

/** Why a code opened nothing, as a sentence. `typed` is what was typed. */
export function unlockWords(problem: UnlockProblem, typed: string): string {
  switch (problem.type) {
    case 'server':
      return problem.failure.message;
    case 'none':
      return 'There is nothing to unlock: your account has no key.';
    case 'closed':
      return 'This isn’t the code of this account. If you got a new code later, use that one.';
    case 'passphrase':
      return 'This isn’t the passphrase. Mind capitals and spaces, or type the recovery code.';
    case 'passkey':
      return PASSKEY;
    case 'missing':
      return UNLOADED;
    case 'altered':
      return 'The server’s answer doesn’t fit the code. Nothing was opened. Try again later.';
    case 'code':
      break;
  }
  if (/\p{L}{5}/u.test(typed)) return NO_PASSPHRASE;
  const { problem: mistake } = problem;
  if (mistake.type === 'character')
    return `“${typed.charAt(mistake.at)}” isn’t part of a code. Check that place.`;
  if (mistake.type === 'checksum') return 'There is a typing mistake in the code. Compare it group by group.';
  return mistake.missing > 0
    ? `The code has seven groups of four. ${mistake.missing} more to type.`
    : 'The code has seven groups of four. This is more.';
}

/** How many files are not there yet, as a sentence or two. `isOn`: they are to be encrypted. */
export function filesWords(left: number, isOn: boolean): string {
  const count = counted(left, 'file');
  const open = 'Keep Posthaste open on a device with the key.';
  return isOn
    ? `Your tasks are encrypted. ${count} from before still to encrypt. ${open}`
    : `Encryption is off. ${count} still to decrypt. ${open}`;
}

const PASSKEY =
  'No passkey opened anything. Add one under “Account” first, or use your recovery code or your passphrase: not every passkey and browser can open it.';
/** Where the code for it could not be fetched. */
export const UNLOADED = 'Couldn’t load this part of the app. Go online and try again.';
/** Where only a device with the key can go on. */
export const LOCKED = 'This device is locked. Unlock it with your recovery code first.';

/** An empty field is no password to ask the server for. */
export const EMPTY = failed({ type: 'refused', message: 'Type your password.' } as const);

/** Where two devices don’t show the same, or hear other things of each other than were said. */
export const ALTERED =
  'What the two devices heard of each other doesn’t fit together, so no key was given. Somebody may have changed it on the way. ' +
  'Use your recovery code instead, or try again.';

const WAYS: Readonly<Record<KeyWay, string>> = {
  made: 'made the key',
  code: 'by the recovery code',
  passphrase: 'by the passphrase',
  passkey: 'by a passkey',
  pairing: 'from another device',
  unknown: 'before this list was kept',
};

/** That a server gave back older values than this device has seen. */
export const replayWords = (count: number): string =>
  `The server gave back ${count === 1 ? 'an older value' : `${count} older values`} in the place of what this device had seen. ` +
  'It kept the newer ones. Nobody can read your tasks for that, but somebody may have changed what the server keeps: ask who runs it.';

const LATE =
  'The other device ended this after the key was given. If the words differed there, somebody else may have the key: run “Make a new key” now.';

/** How a device got the key, as the end of a sentence. */
export const wayWords = (way: KeyWay): string => WAYS[way];

/** Why encryption was not turned, or no key given, as a sentence. */
export function turnWords(problem: TurnProblem | PairingProblem): string {
  if ('message' in problem)
    return problem.type === 'moved'
      ? 'Another device was faster, so nothing was changed from here, and a code that was shown here is void. Close this and look again.'
      : problem.message;
  if (problem.type === 'locked')
    return 'This device doesn’t have the present key. Unlock it with your recovery code first.';
  if (problem.type === 'altered') return ALTERED;
  if (problem.type === 'late') return LATE;
  if (problem.type === 'missing') return UNLOADED;
  if (problem.type === 'passkey') return PASSKEY;
  return 'The server gave back something else than it was sent, so nothing was changed. Try again later.';
}

/** Said once everything is decrypted. */
export const ALL_OFF = 'Encryption is off. The key stays on this device.';

/** As `ALL_OFF`, with what becomes of lists that stay encrypted. */
export const offWords = (kept: readonly string[]): string =>
  kept.length === 0 ? ALL_OFF : `${ALL_OFF} Your encrypted lists stay encrypted, and open as before.`;

/** Where nothing can be unlocked although an encrypted list is locked: the account never had a key. */
export const NO_KEYS =
  'Your account has no key yet, so there’s nothing to unlock. Run “Encrypt everything” first. Then open the link of the encrypted list again.';
/** A new key encrypts everything anew, so it needs encryption. */
export const ROTATE_OFF =
  'Your tasks aren’t encrypted, so there’s nothing to encrypt anew. Run “Encrypt everything” first, then “Make a new key”.';

/** Said where this device has the key already. `locked`: names of encrypted lists that don’t open all the same. */
export const unlockedWords = (locked: readonly string[]): string =>
  locked.length === 0
    ? 'This device is unlocked already.'
    : 'This device is unlocked already. A list that is still locked needs its own key: “People and link of this list” says how to get it.';

/** Said once everything is encrypted. */
export const ALL_ON = 'Everything is encrypted.';

/** Characters of a new passphrase. */
const LEAST_PASSPHRASE = 16;

/** Why a passphrase that was typed twice isn’t taken, as a sentence; null: it is. */
export function passphraseProblem(passphrase: string, again: string): string | null {
  const length = [...passphrase.normalize('NFKC').trim()].length;
  if (length < LEAST_PASSPHRASE)
    return `Use at least ${LEAST_PASSPHRASE} characters: five unrelated words are good.`;
  return passphrase === again ? null : 'The two aren’t the same. Type both again.';
}
/** Said where something has to be sent first. */
export const UNSENT =
  'Some changes of this device aren’t on the server yet. Try again when everything is synced.';
/** Said where there is nothing to do without encryption. */
export const OFF = 'Your tasks aren’t encrypted.';
/** Said where only a device with the key can do it. */
export const KEYLESS = 'This device has no key.';
/** Said once the key is gone from this device. */
export const FORGOTTEN = 'This device has forgotten the key.';
/** Said once everything has the new key. */
export const RENEWED =
  'Everything is encrypted with the new key. Your other devices need it to go on: give it to them from here, or type the new code there.';
