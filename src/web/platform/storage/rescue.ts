// Changes that a tab could not write before it lost its turn: offered to the tab that works now, which makes them and
// says when they are on the disk. Until then they stay here.
import type { Id } from '#core/ids.ts';
import type { DeviceState } from '../account/device-port.ts';
import { databaseName, type Profile } from '../account/profile.ts';
import { newId } from '../world.ts';
import { putChangesAside } from './quarantine.ts';
import type { Unsaved } from './unsaved.ts';

const CHANNEL = 'posthaste.rescue';

type Message =
  | { readonly type: 'offer'; readonly id: string; readonly unsaved: Unsaved }
  | { readonly type: 'taken'; readonly id: string }
  | { readonly type: 'ready' };

function listen(onMessage: (message: Message, reply: (message: Message) => void) => void): {
  readonly post: (message: Message) => void;
  readonly stop: () => void;
} {
  const channel = new BroadcastChannel(CHANNEL);
  const post = (message: Message) => channel.postMessage(message);
  channel.addEventListener('message', (event: MessageEvent<Message>) => onMessage(event.data, post));
  return { post, stop: () => channel.close() };
}

/** Offers until somebody has them; then resolves. */
export function offerUnsaved(unsaved: Unsaved, id: string): Promise<void> {
  return new Promise((resolve) => {
    const offer: Message = { type: 'offer', id, unsaved };
    const { post, stop } = listen((message) => {
      if (message.type === 'ready') post(offer);
      if (message.type !== 'taken' || message.id !== id) return;
      stop();
      resolve();
    });
    post(offer);
  });
}

/** What a tab could not write before another one made `next` of its profile. */
export async function handOn(
  left: Omit<Unsaved, 'profile'> & { readonly profile: Profile; readonly next: Profile },
  device: Pick<DeviceState, 'tell'>,
): Promise<void> {
  const { profile, next, scope, operations } = left;
  // Nobody but the tab that works on what this became may make them; what belongs to another account is put aside.
  if (next.adopts?.id === profile.id) void offerUnsaved({ profile: next.id, scope, operations }, newId());
  else device.tell(await putChangesAside(databaseName(profile.id), operations));
}

/** Takes offers for this profile. `make` resolves when they are durable. The returned function stops listening. */
export function takeUnsaved(profile: Id, make: (unsaved: Unsaved) => Promise<void>): () => void {
  const made = new Map<string, Promise<void>>();
  const { post, stop } = listen((message, reply) => {
    if (message.type !== 'offer' || message.unsaved.profile !== profile) return;
    const { id, unsaved } = message;
    const making = made.get(id) ?? make(unsaved);
    made.set(id, making);
    making.then(
      () => reply({ type: 'taken', id }),
      () => made.delete(id),
    );
  });
  post({ type: 'ready' });
  return stop;
}
