// Clipboard and files, as far as a browser lets a page touch them.

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused by the person or the browser: the answer says so.
    return false;
  }
}

export async function readClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    // Refused by the person or the browser: the answer says so.
    return null;
  }
}

const REVOKE_AFTER_MS = 60_000;

/** Hands content to the browser's downloads. */
export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** Hands text to the browser's downloads. `type` is its MIME type. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

const OPENABLE: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Opens a link, or a page of our own ("/guides/labels"), where it cannot reach back. Other kinds of address are not opened. */
export function openLink(link: string): void {
  const base = link.startsWith('/') ? location.origin : undefined;
  if (!URL.canParse(link, base)) return;
  const url = new URL(link, base);
  if (OPENABLE.has(url.protocol)) window.open(url, '_blank', 'noopener,noreferrer');
}
