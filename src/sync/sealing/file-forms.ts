// In which form the content of an attachment is, and which a state of its scope leads to: sealed where the row says what it opens to, and as
// it is elsewhere. Which key it was sealed with doesn't matter: devices keep all of them.
import { sealsIn, type ScopeSealing } from './scope-state.ts';

/** As rows hold them, for devices and their server. */
export interface FileFields {
  readonly hash?: unknown;
  readonly content?: unknown;
}

/** Whether the server has the content sealed. */
export const isFileSealed = ({ content }: FileFields): boolean => content !== undefined && content !== null;

/** Whether a content has the form that the state leads to. An attachment without any has. */
export function isFileInForm(state: ScopeSealing, fields: FileFields): boolean {
  return typeof fields.hash !== 'string' || isFileSealed(fields) === sealsIn(state);
}
