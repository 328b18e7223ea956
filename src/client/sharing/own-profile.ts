// How the person themselves is shown, for the foot of the lists: as the rows of members say, which follow the profile; else as the
// server said last, which this device keeps; until then as the server will make it from the e-mail address.
import { firstColor, nameFromEmail } from '#core/people.ts';
import { profileSchema, type Profile } from '#wire/sharing.ts';
import type { Program } from '../app/program.ts';
import { personView } from './people.ts';
import type { PersonView } from './sharing-view.ts';

const KEY = 'profile';

interface Kept {
  readonly account: number;
  readonly profile: Profile;
}

/** Null: nothing was kept, or nothing that this app has written; the server has it. */
function read(text: string | null): Kept | null {
  try {
    const { account, profile } = JSON.parse(text ?? '{}') as Record<keyof Kept, unknown>;
    const found = profileSchema.safeParse(profile);
    return typeof account === 'number' && found.success ? { account, profile: found.data } : null;
  } catch {
    return null;
  }
}

/** Costs nothing while nothing changes. */
export class OwnProfile {
  readonly #program: Program;
  #kept: Kept | null;
  /** What was drawn, and for whom; null: it is to be drawn anew. */
  #drawn: { readonly email: string | null; readonly account: number; readonly as: PersonView | null } | null =
    null;

  constructor(program: Program) {
    this.#program = program;
    this.#kept = read(program.platform.preferences.get(KEY));
  }

  /** To be called when members changed. */
  invalidate(): void {
    this.#drawn = null;
  }

  /** The server says how the person is shown. */
  keep({ name, initials, emoji, color }: Omit<Profile, 'success'>): void {
    const { platform, replica } = this.#program;
    this.#kept = { account: replica.account, profile: { success: true, name, initials, emoji, color } };
    platform.preferences.set(KEY, JSON.stringify(this.#kept));
    this.invalidate();
  }

  #fromRows() {
    const { replica } = this.#program;
    for (const scope of replica.scopes) {
      const own = replica.members(scope).find(({ fields }) => fields.account === replica.account);
      if (own?.fields.name !== undefined) return own.fields;
    }
    return null;
  }

  /** Rows say it: the server need not be asked. */
  get isKnown(): boolean {
    return this.#fromRows() !== null;
  }

  /** Null: nobody is signed in. */
  view(): PersonView | null {
    const { platform, replica } = this.#program;
    const { account } = replica;
    const { email } = platform.account;
    if (this.#drawn?.email !== email || this.#drawn.account !== account)
      this.#drawn = { email, account, as: email === null ? null : this.#shown(email, account) };
    return this.#drawn.as;
  }

  #shown(email: string, account: number): PersonView {
    const first = { name: nameFromEmail(email), color: firstColor(account) };
    const kept = this.#kept?.account === account ? this.#kept.profile : null;
    return personView({ ...(this.#fromRows() ?? kept ?? first), account }, account);
  }
}
