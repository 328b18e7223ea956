// What a public link shows of an encrypted list: as showing.ts does, sealed as it is kept. The server hands on what it can't read, and says structure
// and states alone. As in visible.ts every field is named: what a task gets in the future stays hidden until somebody names it here.
import { parseId, type Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { registersOf } from '#sync/rows/row.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import { linkPermissions, type LinkKeys, type LinkMay } from '#wire/public-links.ts';
import type { SealedHead, SealedTask } from '#wire/public-page/sealed-links.ts';
import { authorise } from '../access/authorise.ts';
import type { ListWindow } from './list-window.ts';
import type { OpenLink } from './links.ts';
import type { LocalIds } from './local-ids.ts';

/** A link of an encrypted list. */
export type SealedLink = OpenLink & { readonly keys: LinkKeys };

/** Whether what a link shows is sealed. */
export const isSealedLink = (link: OpenLink): link is SealedLink => link.keys !== null;

/** What is sealed is bound to the id of its row, so the page has to know it. */
export const ownIds: LocalIds = {
  shown: (ids) => ids,
  read: (id) => parseId(id),
};

/** The list without its tasks. */
export function sealedHead({ visitor, keys }: SealedLink, window: ListWindow): SealedHead {
  const { link, scope, list } = visitor;
  const permits = (what: keyof LinkMay) => authorise(visitor, { type: 'link', what, link }).allowed;
  const may = Object.fromEntries(linkPermissions.map((what) => [what, permits(what)])) as LinkMay;
  const root = window.row(list);
  const name = root === undefined ? null : registersOf(root)['name'];
  const { generation, wrap } = keys;
  return { link, scope, list, generation, wrap, name: isEnvelope(name) ? name : null, may };
}

/** These tasks, as far as the link shows them. */
export function sealedTasks(
  { visitor }: SealedLink,
  window: ListWindow,
  wanted: Iterable<Id>,
): readonly SealedTask[] {
  const { link } = visitor;
  if (!authorise(visitor, { type: 'link', what: 'look', link }).allowed) return [];
  return [...wanted].flatMap((id): readonly SealedTask[] => {
    const row = window.shown.get(id);
    if (row === undefined) return [];
    const { place } = row.fields;
    const registers = registersOf(row);
    const sealed = (['title', 'notes', 'due', 'start'] as const).flatMap((name) => {
      const value = registers[name];
      return isEnvelope(value) ? [[name, { e: value.e }] as const] : [];
    });
    return [
      {
        id,
        parent: place.parent === window.list ? null : place.parent,
        key: place.key,
        ...Object.fromEntries(sealed),
        ...(isDone(row) ? { isDone: true as const } : {}),
        ...(isEnvelope(registers['repeat']) ? { repeats: true as const } : {}),
      },
    ];
  });
}
