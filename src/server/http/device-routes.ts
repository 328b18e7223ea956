// The endpoint that lists an account's own devices: where its replicas are, and how up to date each one is.
import type { Kysely } from 'kysely';
import type { DeviceList } from '#wire/account.ts';
import type { Id } from '#core/ids.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { DeviceWatch } from '../care/device-watch.ts';
import type { Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import { mailDevice } from '../mail/delivery.ts';
import { sharingDevice } from '../sharing/plans.ts';
import { readingMark } from '../sync/reading-mark.ts';
import { success } from './answer.ts';
import type { Route, RouteCall } from './route.ts';

/** Above this, only those heard last. */
const MOST_DEVICES = 500;

/** What the device list needs. */
export interface DeviceRoutePorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'scopes'>;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly devices: Pick<DeviceWatch, 'save'>;
}

/** The name of a token that wrote through the API. */
function programName(name: string | null): string {
  return name === null || name === 'Unknown' ? 'API' : `API: ${name}`;
}

/** The route that lists devices. */
export function deviceRoutes({ db, store, sessions, devices }: DeviceRoutePorts): readonly Route[] {
  /** Those that the account had once, too: mail came to their lists. */
  async function scopesEver({ account, roles }: AccountActor): Promise<readonly Id[]> {
    const former = await db
      .selectFrom('former_member')
      .select('scope')
      .where('account', '=', account)
      .execute();
    return [...roles.keys(), ...former.map(({ scope }) => scope)];
  }

  async function list(call: RouteCall): Promise<Response> {
    const actor = call.account();
    await devices.save();
    const known = await db
      .selectFrom('device')
      .leftJoin('session', 'session.id', 'device.session')
      .select([
        'device.id',
        'device.number',
        'device.session',
        'device.last_seen',
        'device.last_seq',
        'device.heard_version',
        'session.name',
        'session.kind',
      ])
      .where('device.account', '=', actor.account)
      .orderBy('device.last_seen', 'desc')
      .orderBy('device.number', 'desc')
      .limit(MOST_DEVICES)
      .execute();
    const alive = new Set((await sessions.list(actor.account)).map(({ id }) => id));
    const mail = new Set((await scopesEver(actor)).map((scope) => mailDevice(scope, actor.account)));
    const server = sharingDevice(actor.account);
    const readable = [...actor.roles.keys()].filter(
      (scope) => authorise(actor, { type: 'scope.read', scope }).allowed,
    );
    const heads = await store.scopes(readable);
    const head = readingMark(new Map([...heads.values()].map(({ id, version }) => [id, version])));
    return success({
      devices: known.map(({ id, number, session, last_seen, last_seq, heard_version, name, kind }) => ({
        number,
        name: mail.has(id) ? 'E-mail' : kind === 'api' ? programName(name) : name,
        // To the app, mail is a program like others, not a device to watch; so is what the server does itself, without a name.
        ...(mail.has(id) || id === server ? { kind: 'api' as const } : kind === null ? {} : { kind }),
        current: session === actor.session,
        signedIn: session !== null && alive.has(session),
        lastHeardAt: last_seen === 0 ? null : last_seen,
        lastChange: last_seq,
        upToDate: heard_version > 0 && heard_version === head,
      })),
    } satisfies Omit<DeviceList, 'success'>);
  }

  return [
    {
      method: 'GET',
      path: '/app/api/devices',
      access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
      site: 'app',
      limit: null,
      body: { type: 'none' },
      compress: true,
      handle: list,
    },
  ];
}
