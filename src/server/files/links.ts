// Links to attached files for programs: a signed link names the file, the token it was made for and when it expires.
// Opening it needs nothing else; whether the token is still valid and may read the file is checked each time (routes.ts).
import { parseId, type Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Config } from '../config.ts';
import { expectedOrigin } from '../http/origin.ts';

/** A link is valid for one to two of these. Within one, the same file has the same link. */
const SPAN_MS = 5 * 60_000;

/** Creates and verifies signed links to attachments. */
export interface FileLinks {
  /** `asked`: the address of the present request. */
  of(attachment: Id, session: Id, asked: URL): string;
  /** Which file may be opened on whose behalf; null: wrong or expired. */
  read(attachment: string, query: URLSearchParams): { readonly attachment: Id; readonly session: Id } | null;
}

/** Links signed with the key of the server; nothing is stored. */
export function createFileLinks(ports: {
  readonly sealing: Pick<Sealing, 'sign' | 'isSigned'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl' | 'apiHost'>;
}): FileLinks {
  const { sealing, clock, config } = ports;
  const textOf = (attachment: string, session: string, until: string) =>
    `file ${attachment} ${session} ${until}`;

  /** Where the API answers. */
  function baseOf(asked: URL): string {
    const origin = expectedOrigin(config.publicUrl, asked);
    return config.apiHost === null ? `${origin}/api` : `${new URL(origin).protocol}//${config.apiHost}`;
  }

  return {
    of(attachment, session, asked) {
      const until = String((Math.floor(clock.now() / SPAN_MS) + 2) * SPAN_MS);
      const signature = sealing.sign(textOf(attachment, session, until));
      return `${baseOf(asked)}/attachments/${attachment}?token=${session}&until=${until}&signature=${signature}`;
    },
    read(text, query) {
      const [token = '', until = '', signature = ''] = ['token', 'until', 'signature'].map(
        (name) => query.get(name) ?? '',
      );
      const [attachment, session] = [parseId(text), parseId(token)];
      if (attachment === null || session === null) return null;
      if (!sealing.isSigned(textOf(attachment, session, until), signature)) return null;
      return Number(until) > clock.now() ? { attachment, session } : null;
    },
  };
}
