// The real server process, killed again and again while mail comes in: what it said it had taken is a task afterwards, once;
// what it did not answer is sent again, as mail servers do, and is a task once as well.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inboxId } from '#core/ids.ts';
import { ApiClient, type Task } from '#wire/api/client.ts';
import { Hangup, plainMail, SmtpClient, type SmtpReply } from '../api/smtp-client.ts';
import { SeededRandom } from '../simulator/random.ts';
import { signUp, startServerChild, type ServerChild, type SignedUp } from './server-child.ts';

const DRAIN_MS = 120_000;
const FILE_EVERY = 10;

export interface MailKilledOptions {
  readonly messages: number;
  readonly accounts: number;
  /** Connections that send at the same time. */
  readonly senders: number;
  /** How often the server is killed. */
  readonly kills: number;
  /** How long it lives, at most. */
  readonly lifeMs: number;
  readonly seed: number;
}

export interface MailKilledReport {
  /** Answered with "taken". */
  readonly taken: number;
  /** Sent again, because nobody answered. */
  readonly again: number;
  readonly tasks: number;
  readonly kills: number;
  /** Until the last message was taken, and until it was a task. */
  readonly takenMs: number;
  readonly doneMs: number;
}

interface Receiver extends SignedUp {
  readonly token: string;
  readonly to: string;
}

const environment = { MAIL_DOMAIN: 'in.example.org', MAIL_PORT: '0', LOG_LEVEL: 'off', BACKUPS: 'off' };

/** The code of the letter that lies in the outbox for this address. */
function codeFor(dataDir: string, email: string): string {
  const outbox = join(dataDir, 'outbox');
  for (const name of readdirSync(outbox)) {
    if (!name.endsWith('.eml')) continue;
    const letter = readFileSync(join(outbox, name), 'utf8');
    const code = /Your code is (\d{4} \d{4})/.exec(letter)?.[1];
    if (letter.includes(`To: ${email}`) && code !== undefined) return code;
  }
  throw new Error(`No code was sent to ${email}`);
}

async function receiver({ address }: ServerChild, dataDir: string, number: number): Promise<Receiver> {
  const email = `reader${number}@example.org`;
  const person = await signUp(address, email);
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address, cookie: person.cookie },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  await ask('/app/api/email', { email });
  await ask('/app/api/email/proof', { code: codeFor(dataDir, email) });
  const { address: to } = await ask<{ address: string }>('/app/api/mail_address', {
    scope: person.scope,
    list: inboxId(person.scope),
  });
  const { token } = await ask<{ token: string }>('/app/api/tokens', { name: 'Reader', access: 'read' });
  return { ...person, token, to };
}

function messageNumber(number: number): string {
  const subject = `Message ${number}`;
  const id = `<killed-${number}@example.net>`;
  if (number % FILE_EVERY !== 0) return plainMail({ subject, id, text: `Text of ${number}\n.\nend` });
  return [
    `Subject: ${subject}`,
    `Message-ID: ${id}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    `Text of ${number}`,
    '--b',
    'Content-Type: text/csv; name=file.csv',
    'Content-Disposition: attachment',
    '',
    `content,${number}`,
    '--b--',
    '',
  ].join('\r\n');
}

/** The server that lives at present, for those who send to it. */
class Life {
  server: ServerChild;
  readonly #dataDir: string;
  #revival = Promise.resolve();

  constructor(server: ServerChild, dataDir: string) {
    this.server = server;
    this.#dataDir = dataDir;
  }

  /** Resolves when somebody may connect again. */
  get isUp(): Promise<void> {
    return this.#revival;
  }

  async killAndRevive(): Promise<void> {
    const revival = Promise.withResolvers<void>();
    this.#revival = revival.promise;
    await this.server.kill();
    this.server = await startServerChild(this.#dataDir, environment);
    revival.resolve();
  }
}

class Sending {
  readonly #life: Life;
  readonly #receivers: readonly Receiver[];
  readonly #waiting: number[];
  taken = 0;
  again = 0;

  constructor(life: Life, receivers: readonly Receiver[], messages: number) {
    this.#life = life;
    this.#receivers = receivers;
    this.#waiting = Array.from({ length: messages }, (_, number) => messages - 1 - number);
  }

  /** Until everything was taken. */
  async send(): Promise<void> {
    let client: SmtpClient | null = null;
    for (let number = this.#waiting.pop(); number !== undefined; number = this.#waiting.pop()) {
      try {
        client ??= await this.#connect();
        const { to } = this.#receivers[number % this.#receivers.length]!;
        const reply: SmtpReply = await client.deliver(to, messageNumber(number));
        assert.equal(reply.code, 250, reply.text);
        this.taken += 1;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        client?.close();
        client = null;
        this.again += 1;
        this.#waiting.push(number);
      }
    }
    await client?.quit();
  }

  async #connect(): Promise<SmtpClient> {
    await this.#life.isUp;
    const { mailPort } = this.#life.server;
    if (mailPort === null) throw new Hangup('No mail port');
    return SmtpClient.open(mailPort);
  }
}

async function tasksOf({ address }: ServerChild, { token }: Receiver): Promise<readonly Task[]> {
  const client = new ApiClient({ url: `${address}/api`, token, send: (url, init) => fetch(url, init) });
  const tasks: Task[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await client.listTasks({ cursor });
    tasks.push(...page.tasks);
    cursor = page.next_cursor;
  }
  return tasks;
}

function check(tasks: readonly Task[], messages: number): void {
  const titles = new Map(tasks.map((task) => [task.title, task]));
  assert.equal(titles.size, tasks.length, 'no message twice');
  for (let number = 0; number < messages; number += 1) {
    const task = titles.get(`Message ${number}`);
    assert.ok(task !== undefined, `message ${number} was taken and is no task`);
    assert.ok(task.notes.startsWith(`Text of ${number}`), task.notes);
    assert.equal(task.todo_item_attachments.length, number % FILE_EVERY === 0 ? 1 : 0);
  }
  assert.equal(tasks.length, messages, 'and nothing besides');
}

async function drained(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'mail', 'waiting');
  for (const until = performance.now() + DRAIN_MS; readdirSync(folder).length > 0; await pause(20))
    if (performance.now() > until) throw new Error('The spool does not empty');
}

/** Rejects with what is wrong. */
export async function runMailKilled(options: MailKilledOptions): Promise<MailKilledReport> {
  const { messages, accounts, senders, kills, lifeMs, seed } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-mail-kill-'));
  const random = new SeededRandom(seed);
  const life = new Life(await startServerChild(dataDir, environment), dataDir);
  try {
    const receivers: Receiver[] = [];
    for (let number = 0; number < accounts; number += 1)
      receivers.push(await receiver(life.server, dataDir, number));
    const sending = new Sending(life, receivers, messages);
    const startedAt = performance.now();
    let isOver = false;
    const sent = Promise.all(Array.from({ length: senders }, () => sending.send())).finally(() => {
      isOver = true;
    });
    let killed = 0;
    for (; killed < kills && !isOver; killed += 1) {
      await Promise.race([pause(random.between(Math.ceil(lifeMs / 4), lifeMs)), sent]);
      await life.killAndRevive();
    }
    await sent;
    const takenMs = performance.now() - startedAt;
    await drained(dataDir);
    const doneMs = performance.now() - startedAt;
    const tasks: Task[] = [];
    for (const each of receivers) tasks.push(...(await tasksOf(life.server, each)));
    check(tasks, messages);
    assert.deepEqual(readdirSync(join(dataDir, 'mail', 'aside')), []);
    return {
      taken: sending.taken,
      again: sending.again,
      tasks: tasks.length,
      kills: killed,
      takenMs,
      doneMs,
    };
  } finally {
    await life.server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
