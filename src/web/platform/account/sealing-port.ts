// What a browser brings for a sealed scope: the routes of the server, the keys on this device, randomness and the checks of values. Loaded
// with the dialogs of encryption, and where a scope is sealed.
import * as z from 'zod/mini';
import { agentName } from '#core/agent-name.ts';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { PairingServer } from '#sync/sealing/pairing-desk.ts';
import type { ListServer, SealingFailure, SealingPlatform, SealingServer } from '#sync/sealing/ports.ts';
import { madeOf, takenOf } from '#sync/sealing/told.ts';
import { registerChecks } from '#wire/registers.ts';
import { pairingAnswerBodySchema, pairingsBodySchema } from '#wire/pairing.ts';
import {
  fileFormedSchema,
  listMembersSchema,
  MOVED_IS_TOLD,
  reencodedSchema,
  sealingLeftSchema,
  sealingSchema,
} from '#wire/sealing.ts';
import { createKeyStore, createListKeyStore } from '../storage/key-store.ts';
import { newId, random } from '../world.ts';
import { passphrases } from './passphrases.ts';
import { type Call, callServer, codeOf, messageOf, type Reply } from './http.ts';

const TIMEOUT_MS = 60_000;
const ROUTE = '/sealing/v1';

const TYPES: Readonly<Record<string, SealingFailure['type']>> = {
  confirm_first: 'unconfirmed',
  moved: 'moved',
  unfinished: 'unfinished',
};

const saidIn = z.object({ error: z.string() });

function failureOf(reply: Reply): SealingFailure {
  if (reply.type === 'none')
    return { type: 'offline', message: 'Can’t reach the server. Try again when you’re online.' };
  const said = saidIn.safeParse(reply.body);
  const message =
    messageOf(reply.body) ?? (said.success ? said.data.error : 'The server didn’t accept this. Try again.');
  return { type: TYPES[codeOf(reply.body) ?? ''] ?? 'refused', message };
}

async function ask<T>(
  schema: z.ZodMiniType<T>,
  method: Call['method'],
  path: string,
  body?: unknown,
): Promise<Result<T, SealingFailure>> {
  const reply = await callServer({
    method,
    path,
    timeoutMs: TIMEOUT_MS,
    ...(body === undefined ? {} : { body }),
  });
  if (reply.type === 'none' || reply.status !== 200) return failed(failureOf(reply));
  const read = schema.safeParse(reply.body);
  return read.success
    ? ok(read.data)
    : failed({ type: 'refused', message: 'Couldn’t read the server’s answer. Try again.' });
}

/** The routes about one scope, below a path. */
const scopeServer = (path: string): SealingServer => ({
  read: () => ask(sealingSchema, 'GET', path),
  step: async (step) => madeOf(await ask(sealingSchema, 'POST', `${path}/step?${MOVED_IS_TOLD}`, step)),
  changeWraps: (change) => ask(sealingSchema, 'POST', `${ROUTE}/wraps`, change),
  tell: async (directory) =>
    madeOf(await ask(sealingSchema, 'POST', `${path}/directory?${MOVED_IS_TOLD}`, { directory })),
  left: (after, limit, list) =>
    ask(
      sealingLeftSchema,
      'GET',
      `${path}/left?limit=${limit}${after === null ? '' : `&after=${after}`}${list === undefined ? '' : `&list=${list}`}`,
    ),
  formFile: (request) => ask(fileFormedSchema, 'POST', `${ROUTE}/files`, request),
  reencode: async (request) =>
    takenOf(await ask(reencodedSchema, 'POST', `${path}/reencode?${MOVED_IS_TOLD}`, request)),
});

function listServer(scope: Id): ListServer {
  const path = `${ROUTE}/lists/${scope}`;
  return {
    ...scopeServer(path),
    async members() {
      const answer = await ask(listMembersSchema, 'GET', `${path}/members`);
      return answer.ok ? ok(answer.value.members) : answer;
    },
    async tellIdentity(identity) {
      const answer = await ask(z.object({}), 'POST', `${ROUTE}/identity`, identity);
      return answer.ok ? ok(null) : answer;
    },
  };
}

/** What this browser has for the own scope of an account. */
export function createSealingPlatform(account: number): SealingPlatform {
  return {
    keys: createKeyStore(account),
    passphrases,
    passkeys: {
      isPossible: 'PublicKeyCredential' in globalThis,
      secret: async () => (await import('./passkeys.ts')).secretOf(),
    },
    random: (bytes) => random.fill(bytes),
    checks: registerChecks,
    newId,
    now: () => Date.now(),
    name: agentName(navigator.userAgent),
    files: async () => (await import('../storage/content-work.ts')).contentWork,
    server: scopeServer(ROUTE),
    lists: { server: listServer, keys: (scope) => createListKeyStore(account, scope) },
  };
}

const PAIRINGS = '/app/api/pairings';

/** The calls by which two devices are paired. */
export function createPairingServer(): PairingServer {
  const one = async (...[path, body]: readonly [path: string, body?: unknown]) => {
    const answer = await ask(
      pairingAnswerBodySchema,
      body === undefined ? 'GET' : 'POST',
      `${PAIRINGS}${path}`,
      body,
    );
    return answer.ok ? ok(answer.value.pairing) : answer;
  };
  return {
    begin: (commitment) => one('', { commitment }),
    async waiting() {
      const answer = await ask(pairingsBodySchema, 'GET', PAIRINGS);
      return answer.ok ? ok(answer.value.pairings) : answer;
    },
    read: (id) => one(`/${id}`),
    answer: (id, oldKey) => one(`/${id}/answer`, { oldKey }),
    reveal: (id, newKey, nonce) => one(`/${id}/reveal`, { newKey, nonce }),
    handOver: (id, handed) => one(`/${id}/hand-over`, { handed }),
    take: (id) => one(`/${id}/taken`, {}),
    refuse: (id) => one(`/${id}/refuse`, {}),
  };
}
