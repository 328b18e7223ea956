// What the pages expect from the server, checked before it is used: any other shape counts as a failed
// answer.

export interface PromoCode {
  readonly name: string;
  readonly discount_percentage: number;
  readonly discount_num_months: number;
}

export interface ListInvitation {
  readonly list_name: string;
  readonly inviting_user_avatar_initials: string;
  readonly inviting_user_avatar_color_hex_string: string;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export function readPromoCode(value: unknown): PromoCode | null {
  const name = field(value, 'name');
  const percentage = field(value, 'discount_percentage');
  const months = field(value, 'discount_num_months');
  if (typeof name !== 'string' || !isNumber(percentage) || !isNumber(months)) return null;
  return { name, discount_percentage: percentage, discount_num_months: months };
}

export function readListInvitation(value: unknown): ListInvitation | null {
  const name = field(value, 'list_name');
  const initials = field(value, 'inviting_user_avatar_initials');
  const color = field(value, 'inviting_user_avatar_color_hex_string');
  if (typeof name !== 'string' || typeof initials !== 'string' || typeof color !== 'string') return null;
  return {
    list_name: name,
    inviting_user_avatar_initials: initials,
    inviting_user_avatar_color_hex_string: color,
  };
}

/** A payload inside the link: version 2 is UTF-8 under base64, anything before it one byte for each letter. */
export function decodeInvitation(payload: string, version: string | null): ListInvitation | null {
  try {
    const letters = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = version === '2' ? new TextDecoder('utf-8', { fatal: true }).decode(bytes) : letters;
    return readListInvitation(JSON.parse(text));
  } catch {
    // Not base64, not UTF-8 or not JSON: no invitation.
    return null;
  }
}

/** The colour of an avatar if it is one, else a neutral; and black or white, whichever is read better on it. */
export function avatarColors(hex: string): { readonly background: string; readonly text: string } {
  const background = /^#?[0-9a-f]{6}$/i.test(hex) ? `#${hex.replace('#', '')}` : '#505763';
  const channel = (at: number) => {
    const value = Number.parseInt(background.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return { background, text: luminance > 0.179 ? '#000000' : '#ffffff' };
}
