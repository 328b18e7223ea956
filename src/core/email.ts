// E-mail addresses: which are accepted, and the one spelling under which an account is found. Pages check before they
// send, the server checks again.

const LONGEST = 254;
const SHAPE = /^[^\s@"(),:;<>[\\\]\u0000-\u001f\u007f]+@[^\s@"(),:;<>[\\\]\u0000-\u001f\u007f]+$/;

/** The canonical spelling (trimmed, lower-case), or null when it is not an address that mail could reach. */
export function parseEmail(text: string): string | null {
  const email = text.normalize('NFC').trim().toLowerCase();
  if (email.length > LONGEST || !email.isWellFormed() || !SHAPE.test(email)) return null;
  const [local = '', domain = ''] = email.split('@');
  const labels = domain.split('.');
  const isDomain =
    labels.length >= 2 &&
    labels.every((label) => label.length > 0 && label.length <= 63 && !/^-|-$/.test(label));
  const isLocal = local.length <= 64 && !/^\.|\.$|\.\./.test(local);
  return isDomain && isLocal ? email : null;
}
