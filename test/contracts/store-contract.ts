// What every implementation of the Store port must do: one suite, run on each engine. All tests share one database and
// keep to scopes of their own.
import { after, before, describe } from 'node:test';
import { parkedTests } from './store-contract-parked.ts';
import type { Store } from '#server/data/store.ts';
import { lookupTests, siblingTests } from './store-contract-reads.ts';
import { changesTests, deviceTests, generationTests, historyTests, rowTests } from './store-contract-sync.ts';
import { moveTests } from './store-contract-moves.ts';
import { shelfTests } from './store-contract-shelf.ts';
import { scopeTests, transactionTests } from './store-contract-writes.ts';

export interface OpenStore {
  readonly store: Store;
  close(): Promise<void>;
}

export function storeContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`Store on ${name}`, () => {
    let opened: OpenStore;
    let store: Store;
    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(() => opened.close());
    const at = () => store;

    scopeTests(at);
    transactionTests(at);
    lookupTests(at);
    siblingTests(at);
    rowTests(at);
    deviceTests(at);
    changesTests(at);
    generationTests(at);
    historyTests(at);
    shelfTests(at);
    parkedTests(at);
    moveTests(at);
  });
}
