// The app's doors to the e-mail address of a list: shown to whoever may add tasks to the list, and made anew by them.
import type { Kysely } from 'kysely';
import { inboxId, type Id } from '#core/ids.ts';
import { mailAddressRequestSchema, type MailAddress } from '#wire/mail.ts';
import { authorise } from '../access/authorise.ts';
import type { Tables } from '../data/tables.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { AddressedList, MailAddresses } from './addresses.ts';
import type { MailIn } from './receiving.ts';

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
  // The Inbox is there before anything is written into it.
  if (!row) return list === inboxId(scope) ? { scope, list, name: 'Inbox' } : null;
  const { listType, name = '' } = JSON.parse(row.fields) as {
    readonly listType: string;
    readonly name?: string;
  };
  if (row.deleted !== null || listType === 'folder' || listType === 'smart') return null;
  return { scope, list, name: name === '' && listType === 'inbox' ? 'Inbox' : name };
}

export function mailRoutes({ db, mailIn }: MailRoutePorts): readonly Route[] {
  async function answer(
    call: RouteCall,
    address: (of: MailAddresses, list: AddressedList) => Promise<string>,
  ): Promise<Response> {
    if (mailIn === null || mailIn.addresses === null)
      return refusal('forbidden', 'This server receives no mail.');
    const read = mailAddressRequestSchema.safeParse(call.body);
    const actor = call.account();
    if (!read.success || !authorise(actor, { type: 'scope.write', scope: read.data.scope }).allowed)
      return refusal('not_found', 'There is no such list.');
    if (!(await mailIn.desk.mayReceive(actor.account)))
      return refusal('email_unconfirmed', 'Confirm your own e-mail address first, in “Account”.');
    const list = await listOf(db, read.data.scope, read.data.list);
    if (list === null) return refusal('not_found', 'Only lists that hold tasks have an address.');
    const { addresses, desk } = mailIn;
    const body = { address: await address(addresses, list), use: await desk.use(actor.account) };
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
      handle: (call) =>
        answer(call, async (addresses, list) => (await addresses.of([list])).get(list.list) ?? ''),
    },
    {
      ...common,
      path: '/app/api/mail_address/new',
      handle: (call) => answer(call, (addresses, list) => addresses.renew(list)),
    },
  ];
}
