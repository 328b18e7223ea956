// Everything that a copy with sealed scopes works with, put together. The gate loads it.
import type { Id } from '#core/ids.ts';
import type { Sealer } from '#core/sealing/envelope.ts';
import type { Keyring } from '#core/sealing/keys.ts';
import { ok } from '#core/result.ts';
import type { Transport } from '../replica/ports.ts';
import { DeviceKeys } from './device-keys.ts';
import { FileWalk } from './file-walk.ts';
import { Crossings } from './leaving/crossings.ts';
import { ListWalk } from './leaving/list-walk.ts';
import { ListCrossings } from './lists/list-crossings.ts';
import { ListDesk } from './lists/list-desk.ts';
import { ListKeys } from './lists/list-keys.ts';
import { ListWatch } from './lists/list-watch.ts';
import type { SealingHost, SealingPlatform } from './ports.ts';
import { InboxDesk } from './inbox-desk.ts';
import { SealedFiles } from './sealed-files.ts';
import { SealedScopes } from './lists/sealed-scopes.ts';
import { SealedTransport } from './sealed-transport.ts';
import { Walk } from './walk.ts';

/** The keys of somebody's own scope, which open what a list brings with it that comes back. */
class OwnKeys extends DeviceKeys {
  readonly lists = new Map<Id, ListKeys>();

  override get ring(): Keyring | null {
    const ring = super.ring;
    const others = () => [...this.lists.values()].flatMap((keys) => keys.ring ?? []);
    return ring === null ? null : { ...ring, others };
  }

  override get sealer(): Sealer | null {
    const [sealer, { ring }] = [super.sealer, this];
    return sealer === null || ring === null ? null : { ...sealer, ring };
  }
}

const merging = async () => (await import('../notes/note-merging.ts')).mergeNote;

interface Own {
  readonly keys: OwnKeys;
  readonly platform: SealingPlatform;
  readonly host: SealingHost;
  /** Over contents of attachments of all scopes. */
  readonly fileWalk: FileWalk;
}

function fileWalkOf({ keys, platform, host }: Omit<Own, 'fileWalk'>): FileWalk {
  const files = async () => {
    const work = await platform.files();
    const by = (of: DeviceKeys) => new SealedFiles(of, { work, random: platform.random });
    return { work, by };
  };
  return new FileWalk({ keys, lists: keys.lists, server: platform.server, host, files });
}

/** The transport of somebody's own scope. */
function ownTransport(transport: Transport, { keys, platform, host, fileWalk }: Own): SealedTransport {
  const { server, checks } = platform;
  const breathe = () => host.breathe();
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
    merging,
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

/** The transport of a list that stays encrypted. */
function listTransport(scope: Id, transport: Transport, { keys: own, platform, host, fileWalk }: Own) {
  const { checks } = platform;
  const keys = new ListKeys(platform, scope, { account: host.account, keys: own });
  own.lists.set(scope, keys);
  const breathe = () => host.breathe();
  const walk = new Walk({ keys, server: platform.lists.server(scope), checks, breathe });
  const desk = new ListDesk(platform, { account: host.account, keys: own });
  const ofList = host.list(scope);
  const watch = new ListWatch({ scope, keys, desk, host: ofList });
  return new SealedTransport({
    transport,
    platform,
    host: ofList,
    keys,
    // Moves of single tasks are made ready before all scopes (list-crossings.ts).
    crossings: { outgoing: (queue) => Promise.resolve({ operations: queue, refused: [] }) },
    merging,
    heard() {
      // Its person has left it, maybe while it was on its way to another key.
      if (!ofList.isHeld) return;
      walk.start();
      if (platform.lists.makesKeys !== false) watch.start();
      fileWalk.start();
    },
    coming(rows) {
      watch.note(rows);
      if (rows.some(({ type }) => type === 'attachment')) fileWalk.look();
    },
  });
}

/** The sealed scopes of a copy. */
export function sealedScopes(
  transport: Transport,
  platform: SealingPlatform,
  host: SealingHost,
): SealedScopes {
  const keys = new OwnKeys(platform, { account: host.account, scope: host.scope });
  const own = { keys, platform, host, fileWalk: fileWalkOf({ keys, platform, host }) };
  // A list may be heard of with any answer, before its rows are opened.
  const watched: Transport = {
    ...transport,
    async sync(request) {
      const answer = await transport.sync(request);
      return answer.ok ? ok(scopes.heard(answer.value)) : answer;
    },
  };
  const scopes: SealedScopes = new SealedScopes({
    host,
    crossings: new ListCrossings({ keys, lists: keys.lists, host }),
    own: { keys, transport: ownTransport(watched, own) },
    ofList: (scope, inner) => listTransport(scope, inner, own),
  });
  return scopes;
}
