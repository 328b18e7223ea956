// The whole of a device that needs no browser, in one value: what is bundled as the client of a protocol version, and
// what the tests use as the newest client.
import { partFromWire, rowFromWire } from '#sync/rows/codec.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import { protocolVersion } from '#wire/version.ts';
import { liveMessageSchema } from '#wire/live.ts';
import { partPageSchema, snapshotPageSchema, syncErrorCodes, syncResponseSchema } from '#wire/sync.ts';

export const client = {
  protocolVersion,
  createEngine,
  createMemoryStorage,
  MemoryContents,
  rowFromWire,
  partFromWire,
  syncResponseSchema,
  snapshotPageSchema,
  partPageSchema,
  liveMessageSchema,
  syncErrorCodes: syncErrorCodes as readonly string[],
};

export type Client = typeof client;
