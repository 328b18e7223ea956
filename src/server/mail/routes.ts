// The app's endpoints for the e-mail address of a list: shown and renewed for anyone who may add tasks to the list.
import type { Kysely } from 'kysely';
import { inboxId, type Id } from '#core/ids.ts';
import { mailAddressRequestSchema, type MailAddress } from '#wire/mail.ts';
import { authorise } from '../access/authorise.ts';
import type { Tables } from '../data/tables.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { AddressedList, MailAddresses } from './addresses.ts';
import type { MailIn } from './receiving.ts';

/** What the endpoints for addresses need. */
export interface MailRoutePorts {
  readonly db: Kysely<Tables>;
  /** Null: this server receives no mail. */
  readonly mailIn: Pick<MailIn, 'addresses' | 'desk'> | null;
}

const BODY_BYTES = 1_024;

async function listOf(db: Kysely<Tables>, scope: Id, list: Id): Promise<AddressedList | null> {
  const row = await db
    .selectFrom('entity')
    .select(['fields', 'deleted'])
    .where('scope', '=', scope)
    .where('id', '=', list)
    .where('type', '=', 'list')
    .executeTakeFirst();
  // The Inbox exists before anything is written to it.
  if (!row) return list === inboxId(scope) ? { scope, list, name: 'Inbox' } : null;
  const { listType, name = '' } = JSON.parse(row.fields) as {
    readonly listType: string;
    readonly name?: unknown;
  };
  if (row.deleted !== null || listType === 'folder' || listType === 'smart') return null;
  // A sealed one is no part of an address.
  const known = typeof name === 'string' ? name : '';
  return { scope, list, name: known === '' && listType === 'inbox' ? 'Inbox' : known };
}

/** Whose account the mail to the lists of a scope counts for. */
async function ownerOf(db: Kysely<Tables>, scope: Id): Promise<number | undefined> {
  const row = await db.selectFrom('scope').select('owner').where('id', '=', scope).executeTakeFirst();
  return row?.owner;
}

/** Routes that show and renew the address of a list. */
export function mailRoutes({ db, mailIn }: MailRoutePorts): readonly Route[] {
  async function answer(
    call: RouteCall,
    address: (of: MailAddresses, list: AddressedList) => Promise<string | undefined>,
  ): Promise<Response> {
    if (mailIn === null || mailIn.addresses === null)
      return refusal('forbidden', "This server doesn't receive email.");
    const read = mailAddressRequestSchema.safeParse(call.body);
    const actor = call.account();
    if (!read.success || !authorise(actor, { type: 'scope.write', scope: read.data.scope }).allowed)
      return refusal('not_found', "That list doesn't exist.");
    const owner = await ownerOf(db, read.data.scope);
    if (owner === undefined) return refusal('not_found', "That list doesn't exist.");
    const isOwn = owner === actor.account;
    if (!(await mailIn.desk.mayReceive(owner)))
      return isOwn
        ? refusal('email_unconfirmed', 'Confirm your own email address first, under “Account.”')
        : refusal(
            'conflict',
            'Mail to this list counts for its owner, who hasn’t confirmed their email address. Ask them to, then it has an address.',
          );
    const list = await listOf(db, read.data.scope, read.data.list);
    if (list === null)
      return refusal(
        'not_found',
        'Only lists with tasks of their own have an email address. Open one of your own lists.',
      );
    const { addresses, desk } = mailIn;
    const shown = await address(addresses, list);
    if (shown === undefined)
      return refusal(
        'conflict',
        'This server can’t read the email address of this list now. Mail to it still arrives. Ask whoever runs the server, or create a new address.',
      );
    const body = { address: shown, use: isOwn ? await desk.use(owner) : null };
    return success(body satisfies Omit<MailAddress, 'success'>);
  }

  const common = {
    method: 'POST',
    access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
    site: 'app',
    limit: 'mail_address',
    body: { type: 'json', maxBytes: BODY_BYTES },
    compress: false,
  } as const;
  return [
    {
      ...common,
      path: '/app/api/mail_address',
      handle: (call) => answer(call, async (addresses, list) => (await addresses.of([list])).get(list.list)),
    },
    {
      ...common,
      path: '/app/api/mail_address/new',
      handle: (call) => answer(call, (addresses, list) => addresses.renew(list)),
    },
  ];
}
