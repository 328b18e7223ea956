// What a device runs for a sealed scope, put together: its keys, the transport that seals and opens, the walk, and the inbox. Loaded when the
// scope is first heard to be sealed (gate.ts), so nothing else of the app imports it.
import type { Transport } from '../replica/ports.ts';
import { DeviceKeys } from './device-keys.ts';
import { FileWalk } from './file-walk.ts';
import { Crossings } from './leaving/crossings.ts';
import { ListWalk } from './leaving/list-walk.ts';
import type { SealingHost, SealingPlatform } from './ports.ts';
import { InboxDesk } from './inbox-desk.ts';
import { SealedFiles } from './sealed-files.ts';
import { SealedTransport } from './sealed-transport.ts';
import { Walk } from './walk.ts';

/** The transport of a copy whose scope is sealed or was. */
export function sealedTransport(
  transport: Transport,
  platform: SealingPlatform,
  host: SealingHost,
): SealedTransport {
  const keys = new DeviceKeys(platform, { account: host.account, scope: host.scope });
  const { server, checks } = platform;
  const breathe = () => host.breathe();
  const files = async () => {
    const work = await platform.files();
    return { work, sealed: new SealedFiles(keys, { work, random: platform.random }) };
  };
  const fileWalk = new FileWalk({ keys, server, host, files });
  const now = () => platform.now();
  const lists = new ListWalk({ keys, server, checks, host, now, files: fileWalk });
  const walk = new Walk({ keys, server, checks, breathe }, lists);
  const inbox = new InboxDesk({ keys, server, host });
  return new SealedTransport({
    transport,
    platform,
    host,
    keys,
    crossings: new Crossings({ keys, server, host, lists }),
    merging: async () => (await import('../notes/note-merging.ts')).mergeNote,
    heard() {
      walk.start();
      inbox.start();
      fileWalk.start();
    },
    coming(rows) {
      inbox.note(rows);
      if (rows.some(({ type }) => type === 'attachment')) fileWalk.look();
    },
  });
}
