// Reads the whole account from the server, page by page, and again while it changes meanwhile, so that what is written out is of one moment.
import { isDocumentType } from '#core/formats/json.ts';
import type { ExportedEntity, NamedPeople } from '#core/formats/exported.ts';
import type { Id } from '#core/ids.ts';
import type { ExportAnswer } from '#wire/api/client.ts';
import type { Session } from './session.ts';

/** Everything of an account. */
export interface WholeAccount {
  readonly entities: readonly ExportedEntity[];
  readonly people: NamedPeople;
  /** False: it changed during each reading, so that parts are of different moments. */
  readonly isOfOneMoment: boolean;
}

/** How often the account is read again because somebody changed something meanwhile. */
const MOST_READINGS = 4;

type Entity = ExportAnswer['entities'][number];

function toExported({ id, type, created_at, parent_id, key, fields, is_shared }: Entity): ExportedEntity[] {
  // Of a newer server: not known here, and nothing could read it.
  if (!isDocumentType(type)) return [];
  const place = parent_id === undefined ? {} : { parent: parent_id as Id, key: key ?? '' };
  const shared = is_shared === true ? { isShared: true as const } : {};
  return [{ id: id as Id, type, createdAt: created_at, fields, ...place, ...shared }];
}

async function readOnce(session: Session): Promise<WholeAccount> {
  const byId = new Map<string, ExportedEntity>();
  const people = new Map<number, string>();
  const states = new Set<string>();
  let cursor: string | null = null;
  do {
    const asked: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    // oxlint-disable-next-line no-await-in-loop -- Each page says where the next one begins.
    const page: ExportAnswer = await session.askPatiently((client) => client.exportAccount(asked));
    // A row that moved between two pages is in both: the later one counts.
    for (const entity of page.entities.flatMap(toExported)) byId.set(entity.id, entity);
    for (const { user_id: account, name } of page.people) if (!people.has(account)) people.set(account, name);
    states.add(page.state);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { entities: [...byId.values()], people, isOfOneMoment: states.size === 1 };
}

/** Reads everything; again, a few times, as long as it changes meanwhile. */
export async function readAccount(session: Session): Promise<WholeAccount> {
  for (let turn = 1; ; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- Ends with the first reading that nothing disturbed.
    const account = await readOnce(session);
    if (account.isOfOneMoment || turn >= MOST_READINGS) return account;
  }
}
