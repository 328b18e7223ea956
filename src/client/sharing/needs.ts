// Whether a list can be shared, and what has to be done first. Each answer is a sentence.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { Availability } from '../commands/command.ts';

/** The list is in a scope of its own: others have it, or could. */
export function isShared({ replica }: Program, list: Row): boolean {
  return list.scope !== replica.scope;
}

/** The server is out of reach, as far as is known. */
export function isOffline({ engine }: Program): boolean {
  const state = engine.state.get();
  return state.type === 'onDevice' && !state.online && state.asking !== true;
}

/** For everything that asks the server about sharing. */
export function needsServer({ platform, engine }: Program): Availability {
  if (platform.account.email === null) return 'Sharing needs an account. Sign up or sign in first.';
  if (engine.facts().detached !== null) return 'Cloud sync is off. Enable it first.';
  if (engine.state.get().type === 'signedOut') return 'Your session has ended. Sign in first.';
  return null;
}

/** Why what only lists have is not for others, by what they are, and without a connection. */
export interface ListNeeds {
  readonly inbox: string;
  readonly folder: string;
  readonly smart: string;
  readonly offline: string;
}

/** For what the server makes of an ordinary list. */
export function needsList(program: Program, list: Row | undefined, needs: ListNeeds): Availability {
  if (list === undefined || isTrashed(list)) return 'Open a list first.';
  const type = fieldOf(list, 'listType');
  if (type === 'inbox' || type === 'folder' || type === 'smart') return needs[type];
  return needsServer(program) ?? (isOffline(program) ? needs.offline : null);
}

const TO_SHARE: ListNeeds = {
  inbox: 'You can’t share the Inbox. Move its tasks to a list first.',
  folder: 'You can’t share a folder. Share its lists one by one.',
  smart: 'Smart lists are yours alone. Share the lists they look through.',
  offline: 'Sharing needs a connection. Try again when you’re online.',
};

/** Null: it can be shared, or is shared already. */
export function needsSharable(program: Program, list: Row | undefined): Availability {
  const isSharedAlready = list !== undefined && !isTrashed(list) && isShared(program, list);
  return isSharedAlready ? null : needsList(program, list, TO_SHARE);
}
