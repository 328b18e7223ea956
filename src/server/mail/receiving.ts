// Mail into tasks, put together: spool, queue, admission and addresses, behind one value. Runs without the SMTP door as well,
// which only a started server opens.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Ledger } from '../care/ledger.ts';
import type { Tables } from '../data/tables.ts';
import type { Blobs } from '../files/blobs.ts';
import type { FileLedger } from '../files/ledger.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Logger } from '../observe/log.ts';
import type { Exchange } from '../sync/exchange.ts';
import { createMailAddresses, type MailAddresses } from './addresses.ts';
import { createAdmissionDesk, type AdmissionDesk } from './admission.ts';
import { createDelivery, type DeliveryPorts } from './delivery.ts';
import type { Post } from './post.ts';
import { createMailQueue, type MailQueue } from './queue.ts';
import { createReader } from './reader.ts';
import type { Spool } from './spool.ts';

export interface MailIn {
  /** Null: no more mail is taken; what was taken before becomes tasks. */
  readonly addresses: MailAddresses | null;
  readonly desk: AdmissionDesk;
  readonly queue: MailQueue;
  /** Takes up what an earlier process left in the spool. */
  start(): Promise<void>;
  /** Ends what is under way; the rest stays in the spool. */
  stop(): Promise<void>;
}

export interface MailInPorts {
  /** Null: no more mail is taken. */
  readonly domain: string | null;
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly limiter: Limiter;
  readonly spool: Spool;
  readonly post: Pick<Post, 'send'>;
  readonly blobs: Blobs;
  readonly fileLedger: FileLedger;
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly newId: () => Id;
  readonly hasRoom: () => boolean;
  readonly log: Logger;
}

export function createMailIn(ports: MailInPorts): MailIn {
  const { spool, clock, log } = ports;
  const reader = createReader();
  const { domain } = ports;
  const addresses = domain === null ? null : createMailAddresses({ ...ports, domain });
  const delivery: DeliveryPorts = { ...ports, reader };
  const queue: MailQueue = createMailQueue({
    deliver: createDelivery(delivery),
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
  return {
    addresses,
    desk,
    queue,
    async start() {
      for (const arrival of await spool.recover()) queue.add(arrival);
    },
    async stop() {
      await queue.stop();
      await reader.close();
    },
  };
}
