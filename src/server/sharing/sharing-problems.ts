// What is refused about shared lists, in words for a person, and what to do next.
import { failed } from '#core/result.ts';
import { sealingLimits } from '#wire/sealing.ts';
import type { ErrorCode } from '#wire/api/error-codes.ts';

/** Why something was refused, and what to do next, in words for a person. */
export interface SharingProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A refusal. */
export const problem = (code: ErrorCode, message: string) => failed<SharingProblem>({ code, message });

export const UNKNOWN = problem('not_found', "That list doesn't exist, or you don't belong to it anymore.");
export const NOT_OWNER = problem('forbidden', 'Only the owner of this list can do that. Ask them to.');
export const NO_LINK = problem('not_found', "This invitation link doesn't work anymore. Ask for a new one.");
export const BUSY = problem('conflict', 'This list is on its way right now. Try again in a moment.');
export const ENCRYPTED = problem(
  'encrypted',
  'Your lists are end-to-end encrypted, and this server can’t open them. Update this app to share one.',
);
export const TOO_LARGE = problem(
  'too_large',
  `This list is too large to be decrypted in one piece. Split it into lists of ${sealingLimits.openedRows} rows at most.`,
);
export const UNVERIFIED = problem(
  'email_unconfirmed',
  'Confirm your email address first, under “Account.” Then you can share lists.',
);

export const NO_KEYS = problem('invalid', 'These aren’t keys that an encrypted list can begin with.');
export const NOT_ENCRYPTED = problem(
  'conflict',
  'Your lists aren’t all encrypted right now. Wait until they are, then share this one.',
);
export const TOO_LARGE_TO_RETURN = problem(
  'too_large',
  `This list is too large to be encrypted in one piece. Split it into lists of ${sealingLimits.openedRows} rows at most.`,
);
/** An encrypted list has nowhere to go. */
export const NOT_SEALED = problem(
  'encrypted',
  'This list is end-to-end encrypted, and your own lists aren’t. Turn on encryption for your account first.',
);
export const SHARED_OPENLY = problem('conflict', 'This list is shared already, and isn’t encrypted.');
