// An agent at the line of `posthaste mcp`, in memory: its tools are called by the official client.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Id } from '#core/ids.ts';
import { lineReader } from '#cli/entry.ts';
import { serveAgents } from '#cli/mcp.ts';
import { Names } from '#cli/names.ts';
import { PrivateFolder } from '#cli/private-folder.ts';
import { Session } from '#cli/session.ts';
import type { World } from '#cli/world.ts';
import type { Desk } from './desk.ts';

const SERVER = 'https://tasks.example';

type Answer = Readonly<Record<string, unknown>> & {
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly is_complete: boolean }[];
};

export interface Agent {
  readonly client: Client;
  /** The answer of a tool that did what it was asked. */
  readonly use: (name: string, input?: object) => Promise<Answer>;
  /** The sentence of one that did not. */
  readonly refused: (name: string, input?: object) => Promise<string>;
}

interface Served {
  readonly desk: Desk;
  readonly token: string;
  readonly isReadOnly: boolean;
  readonly onPause: () => Promise<void>;
}

/** Lets an agent work with a token, and ends it. `onPause`: what happens while a tool waits. */
export async function serveAgent(
  { desk, token, isReadOnly, onPause }: Served,
  work: (agent: Agent) => Promise<void>,
): Promise<void> {
  const { user } = desk;
  const warned: string[] = [];
  const world: Pick<World, 'environment' | 'send' | 'now' | 'newId' | 'warn'> = {
    now: () => user.server.clock.now(),
    newId: () => crypto.randomUUID() as Id,
    warn: (text) => void warned.push(text),
    environment: { POSTHASTE_HOME: desk.home, POSTHASTE_URL: SERVER, POSTHASTE_TOKEN: token },
    send: (url, { method, headers, body }) =>
      Promise.resolve(
        user.server.services.app.request(url.replace(SERVER, ''), {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        }),
      ),
  };
  const said = { now: () => Date.UTC(2026, 10, 20, 14, 30), zone: 'Europe/Berlin', locale: 'en-GB' };
  const folderOfUser = new PrivateFolder(world.environment);
  const session = new Session(world as World, folderOfUser);
  const names = new Names({ ...world, ...said } as World, folderOfUser, session);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const serving = serveAgents(
    session,
    {
      isReadOnly,
      version: '1.2.3',
      newId: () => crypto.randomUUID() as Id,
      read: lineReader(said, names),
      async pause(ms) {
        user.server.clock.pass(ms);
        await onPause();
      },
      saying: () => ({ at: said.now(), zone: said.zone, locale: said.locale }),
    },
    { transport: theirs, ended: new Promise(() => undefined) },
  );
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  const call = async (name: string, input: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } });
    const [part] = content as { type: string; text: string }[];
    return { text: part?.text ?? '', isError: isError === true };
  };
  try {
    await work({
      client,
      async use(name, input) {
        const { text, isError } = await call(name, input);
        assert.equal(isError, false, text);
        return JSON.parse(text) as Answer;
      },
      async refused(name, input) {
        const { text, isError } = await call(name, input);
        assert.equal(isError, true, text);
        return text;
      },
    });
  } finally {
    await client.close();
    await serving;
    await session.close();
    assert.deepEqual(warned, []);
  }
}
