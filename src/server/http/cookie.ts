// The session cookie: its name, attributes, and finding it in a request. Over HTTPS its name makes the browser refuse any
// copy that is not Secure, for this host alone and for the whole site.
import { webSessionSeconds } from '../accounts/sessions.ts';

/** Reads and writes the session cookie. */
export interface SessionCookie {
  read(header: string | null): string | null;
  /** The Set-Cookie header; a null token removes the cookie. */
  write(token: string | null): string;
}

/** The session cookie over HTTPS (`isSecure`) or plain HTTP. */
export function createSessionCookie(isSecure: boolean): SessionCookie {
  // A cookie with the __Host- prefix must be Secure, which plain HTTP on localhost cannot provide everywhere.
  const name = isSecure ? '__Host-posthaste' : 'posthaste-session';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read(header) {
      for (const part of (header ?? '').split(';')) {
        const at = part.indexOf('=');
        if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
      }
      return null;
    },
    write: (token) =>
      `${name}=${token ?? ''}; Max-Age=${token === null ? 0 : webSessionSeconds}; ${attributes}`,
  };
}
