// A public link as its dialog shows it: the address, what it permits, how it was used and what has become of it.
import type { Id } from '#core/ids.ts';
import { linkPermissions, type LinkPermission, type PublicLink } from '#wire/public-links.ts';
import type { Program } from '../app/program.ts';
import { relative } from '../history/moment-words.ts';
import { sharing } from '../sharing/part.ts';
import type { LinkView } from './links-view.ts';
import { mayWords, missingWords, permissionCommand, permissionNames, useWords } from './words.ts';

/** Characters of an address that tell links apart. */
const ENDING = 6;

/** What stands in the fragments of addresses of an encrypted list, by link. */
type Secrets = ReadonlyMap<Id, string>;

/** What a link can permit: of an encrypted list nobody has labels but who put them there. */
export const permissionsOf = ({ keys }: Pick<PublicLink, 'keys'>): readonly LinkPermission[] =>
  keys === undefined ? linkPermissions : linkPermissions.filter((permission) => permission !== 'labels');

/** The address of a link; null: there is none that opens the list here. */
export function addressOf(
  program: Program,
  secrets: Secrets,
  { id, token, keys }: PublicLink,
): string | null {
  const port = program.part(sharing).port?.links ?? null;
  if (token === null || port === null) return null;
  if (keys === undefined) return port.addressOf(token);
  const secret = secrets.get(id);
  return secret === undefined ? null : port.addressOf(token, secret);
}

function ago({ platform, replica }: Program, at: number | null): string | null {
  if (at === null) return null;
  return relative(at - replica.now(), new Intl.RelativeTimeFormat(platform.locale(), { numeric: 'auto' }));
}

function noteOf(program: Program, list: Id, { isOrphan, isMine, account }: PublicLink): string | null {
  if (isOrphan)
    return isMine
      ? 'Paused: the person who made it is no longer in the list. Resume it and it’s yours.'
      : 'Paused: the person who made it is no longer in the list.';
  if (account === program.replica.account) return null;
  const row = program.replica.row(list);
  const members = row === undefined ? [] : program.part(sharing).members.of(row.scope);
  const name = members.find(({ fields }) => fields.account === account)?.fields.name;
  const by = `Made by ${name ?? 'somebody else'}.`;
  return isMine ? by : `${by} Only they and the owner can change it.`;
}

/** A link of a list. `name`: that of the list. */
export function linkView(
  program: Program,
  { list, name: own, secrets }: { readonly list: Id; readonly name: string; readonly secrets: Secrets },
  link: PublicLink,
): LinkView {
  const port = program.part(sharing).port?.links ?? null;
  const { id, token, name, logo, may, pausedAt, isMine } = link;
  const isEnded = link.isOutdated === true;
  return {
    id,
    name: name ?? own,
    address: addressOf(program, secrets, link),
    missing: missingWords(link),
    isEncrypted: link.keys !== undefined,
    ending: token === null ? '' : token.slice(-ENDING),
    // What it permitted nobody can do anymore.
    may: isEnded ? missingWords(link) : mayWords(link),
    permissions: permissionsOf(link).map((permission) => ({
      permission,
      name: permissionNames[permission],
      isOn: may[permission],
      command: permissionCommand(permission),
    })),
    use: useWords(link, ago(program, link.visitedAt)),
    isPaused: pausedAt !== null && !isEnded,
    isEnded,
    note: noteOf(program, list, link),
    isMine,
    publicName: name ?? '',
    logo: logo === null || port === null ? null : port.logoOf(list, id, logo),
  };
}
