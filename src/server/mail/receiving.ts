// Receiving mail: spool, queue, admission and addresses in one value. Works without the SMTP server, which only a started
// server opens.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { Ledger } from '../care/ledger.ts';
import type { Tables } from '../data/tables.ts';
import type { Blobs } from '../files/blobs.ts';
import type { FileLedger } from '../files/ledger.ts';
import type { Limiter } from '../limits/rates.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Exchange } from '../sync/exchange.ts';
import { createMailAddresses, type MailAddresses } from './addresses.ts';
import { createAdmissionDesk, type AdmissionDesk } from './admission.ts';
import { createDelivery, type DeliveryPorts, type SealedDelivery } from './delivery.ts';
import type { Letters } from './letters.ts';
import { createMailQueue, type MailQueue } from './queue.ts';
import { createReader } from './reader.ts';
import type { Lapse } from '../billing/lapse.ts';
import type { Arrival, Spool } from './spool.ts';

/** How often a server looks for messages of one that is gone. */
const LOOK_MS = 15_000;

/** Everything between an accepted message and its task. */
export interface MailIn {
  /** Null: no more mail is accepted; earlier mail still becomes tasks. */
  readonly addresses: MailAddresses | null;
  readonly desk: AdmissionDesk;
  readonly queue: MailQueue;
  /** Makes the task of a message to an encrypted list at once. Rejects where the storage fails. */
  deliverSealed(arrival: Arrival, raw: Uint8Array<ArrayBuffer>): Promise<SealedDelivery>;
  /** Queues the messages that an earlier process left in the spool. */
  start(): Promise<void>;
  /** Ends running deliveries; the rest stays in the spool. */
  stop(): Promise<void>;
}

export interface MailInPorts {
  /** Null: no more mail is accepted. */
  readonly domain: string | null;
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
  readonly limiter: Limiter;
  readonly spool: Spool;
  readonly letters: Letters;
  readonly blobs: Blobs;
  readonly fileLedger: FileLedger;
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly newId: () => Id;
  readonly hasRoom: () => boolean;
  /** Null: no plan ever lapses. */
  readonly billing: Lapse | null;
  readonly log: Logger;
}

/** Wires the parts of receiving mail; nothing runs before `start`. */
export function createMailIn(ports: MailInPorts): MailIn {
  const { spool, clock, log } = ports;
  const reader = createReader();
  const { domain } = ports;
  const addresses = domain === null ? null : createMailAddresses({ ...ports, domain });
  const delivery: DeliveryPorts = { ...ports, reader };
  const deliveries = createDelivery(delivery);
  const queue: MailQueue = createMailQueue({
    deliver: (arrival) => deliveries.deliver(arrival),
    delivered: async (arrival, as) => {
      if (as !== 'nobody') await desk.count(arrival);
    },
    spool,
    clock,
    log,
  });
  const desk: AdmissionDesk = createAdmissionDesk({
    ...ports,
    find: async (address) => (await addresses?.find(address)) ?? null,
    waiting: (account) => queue.waiting(account),
  });
  let looking: NodeJS.Timeout | undefined;
  const takeOver = async () => {
    try {
      for (const arrival of (await spool.abandoned?.()) ?? []) queue.add(arrival);
    } catch (error) {
      log.error('mail_waits', errorDetail(error));
    }
  };
  return {
    addresses,
    desk,
    queue,
    async deliverSealed(arrival, raw) {
      const spooled = { ...arrival, bytes: raw.length };
      const done = await deliveries.deliverSealed(spooled, raw);
      if (done === 'task') await desk.count(spooled);
      log.info(done === 'task' ? 'mail_task' : 'mail_not_taken', { row: arrival.list });
      return done;
    },
    async start() {
      for (const arrival of await spool.recover()) queue.add(arrival);
      if (spool.abandoned === undefined) return;
      looking = setInterval(() => void takeOver(), LOOK_MS);
      looking.unref();
    },
    async stop() {
      clearInterval(looking);
      await queue.stop();
      await reader.close();
    },
  };
}
