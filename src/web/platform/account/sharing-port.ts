// Sharing and public links over the web routes of our server. Loaded with the dialogs that need it.
import { siteOrigin } from '../desktop/site-origin.ts';
import type * as z from 'zod/mini';
import { failed, ok } from '#core/result.ts';
import type { SharingAnswer, SharingFailure, SharingPort } from '#client/sharing/port.ts';
import { invitationSchema, joinedSchema, profileSchema, sharedListSchema } from '#wire/sharing.ts';
import { publicLinksSchema } from '#wire/public-links.ts';
import type { PublicLinksPort } from '#client/public-links/port.ts';
import { callServer, codeOf, messageOf, type Call, type Reply } from './http.ts';

const TIMEOUT_MS = 20_000;
const LISTS = '/app/api/sharing/lists';
const INVITATIONS = '/app/api/sharing/invitations';
const PROFILE = '/app/api/profile';
/** In this tab alone, and in no address: anyone who has it may join. */
const KEPT = 'posthaste.invitation';

const TYPES: Readonly<Record<string, SharingFailure['type']>> = {
  email_unconfirmed: 'unconfirmed',
  signed_out: 'signedOut',
  not_found: 'gone',
};

function failureOf(reply: Reply): SharingFailure {
  if (reply.type === 'none')
    return { type: 'offline', message: 'Can’t reach the server. Try again when you’re online.' };
  const message = messageOf(reply.body) ?? 'The server didn’t accept this. Try again later.';
  return { type: TYPES[codeOf(reply.body) ?? ''] ?? 'refused', message };
}

const isDone = (reply: Reply): reply is Extract<Reply, { readonly type: 'answer' }> =>
  reply.type === 'answer' && reply.status >= 200 && reply.status < 300;

function send(method: Call['method'], path: string, body?: unknown): Promise<Reply> {
  return callServer({ method, path, timeoutMs: TIMEOUT_MS, ...(body === undefined ? {} : { body }) });
}

async function ask<T>(reply: Promise<Reply>, schema: z.ZodMiniType<T>): Promise<SharingAnswer<T>> {
  const answer = await reply;
  if (!isDone(answer)) return failed(failureOf(answer));
  const read = schema.safeParse(answer.body);
  return read.success
    ? ok(read.data)
    : failed({
        type: 'refused',
        message: 'Couldn’t read the server’s answer. Reload the app, then try again.',
      });
}

/** What this tab remembers; a browser that refuses storage remembers nothing. */
const memory = {
  get(): string | null {
    try {
      return sessionStorage.getItem(KEPT);
    } catch {
      return null;
    }
  },
  set(token: string | null): void {
    try {
      if (token === null) sessionStorage.removeItem(KEPT);
      else sessionStorage.setItem(KEPT, token);
    } catch {
      // The person opens the link again.
    }
  },
};

function createPublicLinksPort(): PublicLinksPort {
  const at = (list: string, link = '') => `${LISTS}/${list}/links${link === '' ? '' : `/${link}`}`;
  const call = (method: Call['method'], path: string, body?: unknown) =>
    ask(send(method, path, body), publicLinksSchema);
  return {
    addressOf: (token, secret) =>
      `${siteOrigin()}/p/${encodeURIComponent(token)}${secret === undefined ? '' : `#k=${secret}`}`,
    logoOf: (list, link, logo) => `${at(list, link)}/logo?v=${encodeURIComponent(logo)}`,
    read: (list) => call('GET', at(list)),
    create: (list, link) => call('POST', at(list), link),
    change: (list, link, change) => call('POST', at(list, link), change),
    end: (list, link) => call('DELETE', at(list, link)),
    setLogo(list, link, png) {
      const path = `${at(list, link)}/logo`;
      if (png === null) return call('DELETE', path);
      const blob = new Blob([png], { type: 'image/png' });
      return ask(callServer({ method: 'POST', path, timeoutMs: TIMEOUT_MS, blob }), publicLinksSchema);
    },
    undo: (list, link, minutes) => call('POST', `${at(list, link)}/undo`, { minutes }),
  };
}

export function createSharingPort(): SharingPort {
  const listCall = (method: Call['method'], path: string, body?: unknown) =>
    ask(send(method, `${LISTS}/${path}`, body), sharedListSchema);
  const at = (token: string) => `${INVITATIONS}/${encodeURIComponent(token)}`;
  return {
    links: createPublicLinksPort(),
    addressOf: (token, secret) =>
      `${siteOrigin()}/invite?token=${encodeURIComponent(token)}&v=3${secret === undefined ? '' : `#k=${secret}`}`,
    read: (list) => listCall('GET', list),
    share: (list) => listCall('POST', list),
    keep: (list, encrypted) => listCall('POST', `${list}/encrypted`, encrypted),
    newLink: (list, days) => listCall('POST', `${list}/link`, { days }),
    endLink: (list) => listCall('DELETE', `${list}/link`),
    remove: (list, account) => listCall('POST', `${list}/members/${account}/remove`),
    handOver: (list, account) => listCall('POST', `${list}/members/${account}/owner`),
    makePrivate: (list) => listCall('POST', `${list}/private`),
    async leave(list) {
      const reply = await send('POST', `${LISTS}/${list}/leave`);
      return isDone(reply) ? ok(undefined) : failed(failureOf(reply));
    },
    invitation: (token) => ask(send('GET', at(token)), invitationSchema),
    join: (token) => ask(send('POST', at(token)), joinedSchema),
    profile: () => ask(send('GET', PROFILE), profileSchema),
    changeProfile: (change) => ask(send('POST', PROFILE, change), profileSchema),
    keptInvitation: () => memory.get(),
    keepInvitation: (token) => memory.set(token),
  };
}
