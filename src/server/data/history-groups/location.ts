// Which databases take the older history, as an operator writes them down: names with their addresses.
import { failed, ok, type Result } from '#core/result.ts';
import { isPostgresUrl } from '../location.ts';

/** A database that takes older history. */
export interface GroupLocation {
  /** It stays the same for good: the home database refers to it. */
  readonly name: string;
  readonly url: string;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;

/** Reads `name=postgres://…`, several of them separated by spaces. */
export function parseGroups(text: string): Result<readonly GroupLocation[], string> {
  const groups: GroupLocation[] = [];
  for (const part of text.split(/\s+/).filter((each) => each !== '')) {
    const at = part.indexOf('=');
    const [name, url] = [part.slice(0, Math.max(at, 0)), part.slice(at + 1)];
    if (!NAME.test(name))
      return failed('has a name that isn’t made of lowercase letters, digits and hyphens');
    if (!isPostgresUrl(url) || !URL.canParse(url)) return failed('has a group without a postgres:// URL');
    if (groups.some((other) => other.name === name)) return failed('names a group twice');
    groups.push({ name, url });
  }
  return groups.length > 0 ? ok(groups) : failed('names no group');
}
