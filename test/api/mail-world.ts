// A server without an HTTP port that takes mail: with the real SMTP door, on a free port, and somebody with lists.
import type { Id } from '#core/ids.ts';
import { createSystemIds } from '#server/clock.ts';
import { createClientReader } from '#server/http/client.ts';
import { openSmtpServer, type smtpLimits } from '#server/mail/smtp-server.ts';
import type { MailIn } from '#server/mail/receiving.ts';
import { createLogger } from '#server/observe/log.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import type { MailAddress } from '#wire/mail.ts';
import { enterApi, type ApiUser } from './api-world.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { SmtpClient, type SmtpReply } from './smtp-client.ts';

export const DOMAIN = 'in.example.org';

export interface MailWorld {
  readonly server: TestServer;
  readonly mailIn: MailIn;
  readonly port: number;
  /** The disk. */
  readonly room: { isFull: boolean };
  /** A person whose address is proved, with an Inbox and what the API offers. */
  person(email: string): Promise<MailPerson>;
  open(): Promise<SmtpClient>;
  /** One message, over a connection that is kept as long as the server does. */
  send(to: string, message: string | Uint8Array, from?: string): Promise<SmtpReply>;
  close(): Promise<void>;
}

export interface MailPerson extends ApiUser {
  readonly inbox: Id;
  address(list?: Id): Promise<string>;
  ask(path: string, list: Id): Promise<{ readonly status: number; readonly body: MailAddress }>;
  /** All tasks, when nothing waits any more. */
  arrived(): Promise<readonly ApiTask[]>;
}

export async function createMailWorld(
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly limits?: Partial<Record<keyof typeof smtpLimits, number>>;
  } = {},
): Promise<MailWorld> {
  const room = { isFull: false };
  const share = () => (room.isFull ? 0.01 : 1);
  const server = await createTestServer({
    environment: { MAIL_DOMAIN: DOMAIN, ...options.environment },
    disk: {
      space: () => ({ free: share() * 1e9, total: 1e9 }),
      freeShare: share,
      freeBytes: () => 1e9,
      setReserved: () => undefined,
      isLow: () => false,
      isFull: () => false,
    },
  });
  const { mailIn } = server.services;
  if (mailIn === null) throw new Error('Mail is off');
  const { spool } = server;
  if (spool === null) throw new Error('There is no spool');
  const door = await openSmtpServer({
    domain: DOMAIN,
    port: 0,
    host: '127.0.0.1',
    certificate: null,
    spool,
    desk: mailIn.desk,
    clientOf: createClientReader([]),
    newId: createSystemIds(server.clock),
    clock: server.clock,
    log: createLogger({ level: 'off', clock: server.clock, write: () => undefined }),
    taken: (arrival) => mailIn.queue.add(arrival),
    deliverSealed: (arrival, raw) => mailIn.deliverSealed(arrival, raw),
    limits: { wrongMs: 1, wrongRecipients: 1_000, connectionsPerAddress: 20, ...options.limits },
  });
  const open = () => SmtpClient.open(door.port);
  let sender: SmtpClient | null = null;

  async function person(email: string): Promise<MailPerson> {
    const user = await enterApi(server, email);
    await server.database.db
      .updateTable('account')
      .set({ verified_at: server.clock.now() })
      .where('id', '=', user.account)
      .execute();
    const lists = await user.lists();
    const inbox = lists.find(({ list_type: type }) => type === 'inbox')?.id as Id;
    const ask: MailPerson['ask'] = async (path, list) => {
      const body = { scope: user.scope, list };
      const answer = await server.ask(path, { method: 'POST', cookie: user.cookie, body });
      return { status: answer.status, body: (await answer.json()) as MailAddress };
    };
    return {
      ...user,
      inbox,
      ask,
      async address(list = inbox) {
        return (await ask('/app/api/mail_address', list)).body.address;
      },
      async arrived() {
        await mailIn?.queue.idle();
        return user.tasks();
      },
    };
  }

  return {
    server,
    mailIn,
    port: door.port,
    room,
    person,
    open,
    async send(to, message, from) {
      if (sender === null || sender.isOver) sender = await open();
      return sender.deliver(to, message, from);
    },
    async close() {
      sender?.close();
      await door.close();
      await server.close();
    },
  };
}
