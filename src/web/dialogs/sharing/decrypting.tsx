// What the dialogs of sharing and of public links say first where a person's lists are encrypted.

/** A line of what becomes visible. Nothing where the list isn't encrypted. `time`: how long decrypting takes, in words. */
export function Decrypting({ time }: { readonly time: string | null }) {
  if (time === null) return null;
  return (
    <li>
      <strong>This list will be decrypted so that others can read it.</strong> It takes {time}. The rest stays
      encrypted.
    </li>
  );
}
