// Letters that tell the owner of an account what happened to it, in case it was somebody else. Letters with requested codes
// and links are sent where those are created.
import type { Letters } from '../mail/letters.ts';
import type { EssentialWrites } from '../care/room.ts';
import { UNDO_DAYS } from './email-undo.ts';
import type { Account } from './sessions.ts';

/** Other ways into an account that remain after its password changed. */
export interface StillOpen {
  /** Names of the passkeys. */
  readonly passkeys: readonly string[];
  readonly tokens: readonly string[];
  readonly codes: boolean;
}

/** Sends one letter per event to the address of the account, with how to react if it was somebody else. */
export interface Notices {
  passwordChanged(account: Account, still: StillOpen): Promise<void>;
  /** By a link sent to the address. `isFirst`: nobody had verified the address before. */
  passwordReset(account: Account, still: StillOpen, isFirst: boolean): Promise<void>;
  emailVerified(account: Account, hadMore: boolean): Promise<void>;
  /** Sent to the old address. `undo`: the secret of the undo link; null: the address was never verified. */
  emailChanged(account: Account, undo: string | null): Promise<void>;
  emailPutBack(account: Account, still: StillOpen): Promise<void>;
  codesOn(account: Account): Promise<void>;
  codesOff(account: Account): Promise<void>;
  recoveryRenewed(account: Account): Promise<void>;
  /** Somebody who has the password is guessing codes. */
  codesGuessed(account: Account): Promise<void>;
  passkeyAdded(account: Account, name: string): Promise<void>;
  passkeyRemoved(account: Account): Promise<void>;
  erasureAsked(account: Account, at: number): Promise<void>;
}

export interface NoticePorts {
  readonly letters: Letters;
  /** Base of links in mail; never taken from the host that a request claims. */
  readonly origin: string;
  readonly room: EssentialWrites;
}

const MOST_NAMED = 10;

function listOf(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map((name) => `“${name || 'unnamed'}”`);
  const more = names.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Lines about the remaining ways into the account; empty: none. */
function stillOpen({ passkeys, tokens, codes }: StillOpen): string {
  const lines = [
    ...(passkeys.length > 0 ? [`Passkeys that still work: ${listOf(passkeys)}.`] : []),
    ...(tokens.length > 0 ? [`API tokens that still work: ${listOf(tokens)}.`] : []),
    ...(codes ? ['Signing in still asks for a one-time code.'] : []),
  ];
  if (lines.length === 0) return '';
  return `\n\n${lines.join('\n')}\nRemove anything you don't recognize under “Account.”`;
}

const NOT_YOU =
  "If this wasn't you, sign in, end all other sessions, and change your password. Then check “Account” for passkeys and API tokens you don't recognize.";

type Tell = (account: Account, kind: string, subject: string, text: string) => Promise<void>;

/** Advice for an owner who did not do it. */
const lostAt = (origin: string) => `If it wasn't you, reset your password now: ${origin}/forgot-password`;

function passwordNotices(
  tell: Tell,
  origin: string,
): Pick<Notices, 'passwordChanged' | 'passwordReset' | 'emailPutBack'> {
  const lost = lostAt(origin);
  return {
    passwordChanged: (account, still) =>
      tell(
        account,
        'password_changed',
        'Your password was changed',
        `Your Posthaste password was changed. All other sessions were signed out.${stillOpen(still)}\n\n${lost}`,
      ),
    passwordReset: (account, still, isFirst) =>
      tell(
        account,
        'password_reset',
        'Your password was changed',
        [
          'Your Posthaste password was changed with a link we sent to this address. We signed out every device and revoked your API tokens.',
          isFirst
            ? '\n\nNobody had confirmed this address until now. So we removed any passkeys, one-time codes, and API tokens set up before. We kept the tasks. Check that you recognize them.'
            : stillOpen(still),
          `\n\nIf it wasn't you, write to us right away: ${origin}/contact`,
        ].join(''),
      ),
    emailPutBack: (account, still) =>
      tell(
        account,
        'email_put_back',
        'Your email address is back',
        `Your Posthaste account has this address again, and the password you just chose. We signed out every device and removed all passkeys and API tokens.${stillOpen(still)}\n\nIf it wasn't you, write to us right away: ${origin}/contact`,
      ),
  };
}

function emailNotices(tell: Tell, origin: string): Pick<Notices, 'emailVerified' | 'emailChanged'> {
  const lost = lostAt(origin);
  return {
    emailVerified: (account, hadMore) =>
      tell(
        account,
        'email_verified',
        'Your address is confirmed',
        [
          'This address is now confirmed for a Posthaste account. A link sent here can reset the password.',
          hadMore
            ? '\n\nWe removed other sessions, passkeys, one-time codes, and API tokens set up before. Set them up again.'
            : '',
          `\n\n${lost}`,
        ].join(''),
      ),
    emailChanged: (account, undo) =>
      tell(
        account,
        'email_changed',
        'Your email address was changed',
        undo === null
          ? "A Posthaste account made with this address now has another one. Nobody had confirmed this address. We won't send anything else here."
          : `Your Posthaste account now has another email address. We won't send anything else here.\n\nIf this wasn't you, choose a new password within ${UNDO_DAYS} days:\n${origin}/reset-password?token=${undo}\n\nThe link works once. It brings this address back, signs out every device, and removes all passkeys and API tokens.\n\nIf it was you, do nothing. We'll keep the address reserved for you until then.`,
      ),
  };
}

function otherNotices(
  tell: Tell,
): Omit<
  Notices,
  keyof ReturnType<typeof passwordNotices> | keyof ReturnType<typeof emailNotices> | 'codesGuessed'
> {
  return {
    codesOn: (account) =>
      tell(
        account,
        'codes_on',
        'One-time codes are on',
        `Signing in to Posthaste now takes a one-time code. All other sessions were signed out.\n\n${NOT_YOU}`,
      ),
    codesOff: (account) =>
      tell(
        account,
        'codes_off',
        'One-time codes are off',
        `Signing in to Posthaste no longer takes a one-time code. All other sessions were signed out.\n\n${NOT_YOU}`,
      ),
    recoveryRenewed: (account) =>
      tell(
        account,
        'recovery_codes',
        'You have new recovery codes',
        `Your Posthaste account has new recovery codes. The old ones no longer work.\n\n${NOT_YOU}`,
      ),
    passkeyAdded: (account, name) =>
      tell(
        account,
        'passkey_added',
        'A passkey was added',
        `The passkey “${name}” now opens your Posthaste account. Nobody was signed out.\n\n${NOT_YOU}`,
      ),
    passkeyRemoved: (account) =>
      tell(
        account,
        'passkey_removed',
        'A passkey was removed',
        `A passkey was removed from your Posthaste account. All other sessions were signed out.\n\n${NOT_YOU}`,
      ),
    erasureAsked: (account, at) =>
      tell(
        account,
        'erasure_asked',
        'Your account will be erased',
        `We'll erase your Posthaste account and everything in it on ${new Date(at).toUTCString()}. To keep it, sign in before then.\n\nIf this wasn't you, sign in and change your password.`,
      ),
  };
}

/** Notices as letters in the outbox. */
export function createNotices({ letters, origin, room }: NoticePorts): Notices {
  /**
   * A letter over the limit is dropped: the address got several of the same kind a moment ago. What it tells has happened:
   * without room on the disk it waits.
   */
  const tell: Tell = async (account, kind, subject, text) => {
    const isProved = account.verified_at !== null;
    await room.eventually(() =>
      letters.send({ kind, isProved, to: account.email, subject, text: `${text}\n` }),
    );
  };
  return {
    ...passwordNotices(tell, origin),
    ...emailNotices(tell, origin),
    ...otherNotices(tell),
    codesGuessed: async (account) => {
      await letters.send({
        kind: 'codes_guessed',
        rate: 'alarm_address',
        isProved: account.verified_at !== null,
        to: account.email,
        subject: 'Someone may know your password',
        text: `Someone tried to sign in to your Posthaste account with the right password and several wrong one-time codes. The codes kept them out.\n\nIf it wasn't you, change your password: ${origin}/forgot-password\n`,
      });
    },
  };
}
