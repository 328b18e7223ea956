// Answers by which a server says that another device was first: a device asks for them instead of errors (`MOVED_IS_TOLD`).
import { failed, type Result } from '#core/result.ts';
import type { Reencoded, Sealing } from '#wire/sealing.ts';
import type { SealingFailure } from './ports.ts';

const FIRST = 'Another device was first.';

/** A step that wasn't made, or a directory that wasn't taken, as the failure that it is; `now` is how it stands. */
export function madeOf(answer: Result<Sealing, SealingFailure>): Result<Sealing, SealingFailure> {
  if (!answer.ok || answer.value.refused === undefined) return answer;
  const { refused: type, ...now } = answer.value;
  const message = type === 'moved' ? FIRST : "Some of it isn't in its new form yet.";
  return failed({ type, message, now });
}

/** Registers that weren't taken as the failure that it is. */
export const takenOf = (answer: Result<Reencoded, SealingFailure>): Result<Reencoded, SealingFailure> =>
  answer.ok && answer.value.refused !== undefined ? failed({ type: 'moved', message: FIRST }) : answer;
