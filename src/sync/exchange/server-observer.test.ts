// What a device knows of the server's last word, whatever order the answers come in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { Hearing } from './server-observer.ts';
import type { LiveListener, Transport } from '../replica/ports.ts';

const scope = '0193b3a0-0000-7000-8000-000000000001' as Id;
const news = (to: number, digest: string) => ({
  scope,
  generation: 'one',
  from: 0,
  to,
  rows: [],
  gone: [],
  more: false,
  digest,
});

test('[LEDGER-4] an answer that was overtaken by later news does not replace their sum', async () => {
  const late = Promise.withResolvers<void>();
  let live: LiveListener | undefined;
  const transport: Transport = {
    sync: async () => {
      await late.promise;
      return { ok: true, value: { changes: [news(3, 'old')] } as unknown as SyncResponse };
    },
    snapshot: () => Promise.reject(new Error('not asked')),
    listen: (on) => {
      live = on;
      return () => undefined;
    },
  };
  const hearing = new Hearing({ now: () => 1 }, null);
  const heard = hearing.listenIn(transport);
  heard.listen({ open: () => undefined, poke: () => undefined, delta: () => undefined } as never);
  const answer = heard.sync({} as never);
  live?.delta(news(4, 'new'));
  late.resolve();
  await answer;
  const replica = {
    meta: { cursors: { [scope]: { generation: 'one', version: 4 } } } as never,
    digestOf: () => 'new',
  };
  assert.equal(hearing.agreement(replica), 'equal');
});
