// Live selection over the page's socket. Of several pages of a browser one has the socket: it carries what the others say, and
// tells them what it hears.
import type { PresencePort } from '#client/presence/port.ts';
import { hereSchema, thereSchema, type Here } from '#wire/presence.ts';
import { liveLine } from './live-line.ts';

/** `account`: number of the account; pages of other accounts hear nothing. */
export function createPresencePort(account: number): PresencePort {
  const [page = 0] = crypto.getRandomValues(new Uint32Array(1));
  const channel = new BroadcastChannel(`posthaste.presence.${account}`);
  const tell = (here: Here) => {
    if (liveLine.isOpen) liveLine.send(JSON.stringify(here));
    else channel.postMessage(here);
  };
  return {
    listen(on) {
      const listening = new AbortController();
      const { signal } = listening;
      const stopLine = liveLine.listen({
        heard(message) {
          const news = thereSchema.safeParse(message);
          if (!news.success) return;
          on.there(news.data);
          channel.postMessage(news.data);
        },
        closed() {
          on.closed();
          channel.postMessage('closed');
        },
      });
      channel.addEventListener(
        'message',
        ({ data }: MessageEvent<unknown>) => {
          if (liveLine.isOpen) {
            const here = hereSchema.safeParse(data);
            if (here.success) tell(here.data);
          } else if (data === 'closed') on.closed();
          else {
            const news = thereSchema.safeParse(data);
            if (news.success) on.there(news.data);
          }
        },
        { signal },
      );
      const isSeen = () => document.visibilityState === 'visible';
      document.addEventListener('visibilitychange', () => on.seen(isSeen()), { signal });
      window.addEventListener('pagehide', () => on.seen(false), { signal });
      window.addEventListener('pageshow', () => on.seen(isSeen()), { signal });
      if (!isSeen()) on.seen(false);
      return () => {
        listening.abort();
        stopLine();
        channel.close();
      };
    },
    say: (place) => tell({ type: 'here', page, ...place }),
  };
}
