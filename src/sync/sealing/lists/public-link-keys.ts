// The keys of public links of a list that stays encrypted, made and opened by a member's device: visitors get the key of the present generation, and
// nothing by which they could follow the list, its people or a later key.
import type { Id } from '#core/ids.ts';
import { isEqual } from '#core/sealing/bytes.ts';
import { ownerOfList, type GenerationKey, type Random } from '#core/sealing/keys.ts';
import {
  newVisitorSecret,
  openForVisitor,
  openVisitorSecret,
  wrapForVisitors,
  wrapVisitorSecret,
  writeVisitorSecret,
} from '#core/sealing/visitor-link.ts';
import { openGeneration } from '#core/sealing/wraps.ts';
import type { LinkKeys } from '#wire/public-links.ts';
import type { DeviceKeys } from '../device-keys.ts';

/** What a server keeps of a new link, and what it never sees. */
export interface PublicLinkKeys {
  readonly keys: LinkKeys;
  /** As it stands in the fragment. */
  readonly secret: string;
}

type Keys = Pick<DeviceKeys, 'key' | 'directory' | 'isBehind'> & { readonly scope: Id };

/** The key of a generation that this device follows; null: none. */
function generationKey({ key, directory, scope }: Keys, generation: number): GenerationKey | null {
  const wrap = directory?.generations[generation];
  if (key === null || wrap === undefined || directory?.state.generation !== generation) return null;
  const opened = openGeneration(wrap, key, { ...ownerOfList(scope), generation });
  return opened.ok ? opened.value : null;
}

/** Keys for a new link; null: the list is on its way to another key. */
export function publicLinkOf(keys: Keys, random: Random): PublicLinkKeys | null {
  const { key, directory, scope, isBehind } = keys;
  if (key === null || directory?.state.phase !== 'sealed' || isBehind) return null;
  const of = { scope, generation: directory.state.generation };
  const opened = generationKey(keys, of.generation);
  if (opened === null) return null;
  const secret = newVisitorSecret(random);
  return {
    keys: {
      generation: of.generation,
      wrap: wrapForVisitors(opened, secret, of, random),
      secret: wrapVisitorSecret(secret, key, of, random),
    },
    secret: writeVisitorSecret(secret),
  };
}

/** The secret of a link that opens the present key; null: it has none. What a server puts in its place is never shown. */
export function publicSecretOf(keys: Keys, { generation, wrap, secret: sealed }: LinkKeys): string | null {
  const { key, scope } = keys;
  const of = { scope, generation };
  const present = generationKey(keys, generation);
  const secret = key === null ? null : openVisitorSecret(sealed, key, of);
  if (secret === null || present === null) return null;
  const opened = openForVisitor(wrap, secret, of);
  return opened.ok && isEqual(opened.value, present) ? writeVisitorSecret(secret) : null;
}
