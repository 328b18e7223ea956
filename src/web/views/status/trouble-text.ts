// What the line at the bottom says where something keeps changes from the server, or from the disk.
import { counted } from '#core/counted.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';

type Trouble = SyncState & { readonly type: 'signedOut' | 'outdated' | 'volatile' };

/** `detail`: left out of sight where there is little room. */
export function troubleText(sync: Trouble): { readonly text: string; readonly detail: string } {
  switch (sync.type) {
    case 'signedOut': {
      const wait = sync.waiting === 1 ? 'waits' : 'wait';
      const detail = sync.waiting === 0 ? '' : ` (${counted(sync.waiting, 'change')} ${wait})`;
      return { text: 'Sign in again to sync', detail };
    }
    case 'outdated': {
      const rest = sync.waiting === 0 ? '' : ` · ${counted(sync.waiting, 'change')} kept here`;
      return sync.which === 'server'
        ? { text: 'The server is older', detail: ` than this app${rest}` }
        : { text: 'Reload to update this app', detail: rest };
    }
    case 'volatile': {
      const rest =
        !sync.account || sync.detached
          ? 'You lose tasks when this tab closes'
          : sync.waiting === 0
            ? 'Everything’s synced'
            : `${counted(sync.waiting, 'change')} only in this tab`;
      return { text: 'Not saved', detail: `. This browser blocks storage here. ${rest}` };
    }
  }
}
