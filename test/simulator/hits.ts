// How often each verdict, fault and rare branch was reached: a random test that never gets there proves nothing.

/** Every branch that 2,000 histories have to reach, and how often at the least. */
export const branches = {
  'verdict ok': 32_500,
  'verdict superseded': 200,
  'verdict already': 100,
  'verdict exists': 1_000,
  'verdict gone': 150,
  'verdict cycle': 5,
  'verdict badparent': 150,
  'verdict forbidden': 150,
  'verdict invalid': 200,
  'verdict limit': 50,
  'spread of crowded keys': 400,
  'child of a trashed parent moved to the living': 600,
  'exclusive label replaced': 55,
  'undo superseded': 65,
  'completion advanced': 500,
  'completion taken back': 100,
  'read missing and loaded': 6_000,
  'operations compacted': 1_500,
  'answered again': 1_000,
  'device conflict': 150,
  resync: 200,
  bootstrap: 250,
  'page with more to come': 400,
  'delta taken': 16_500,
  'group failed': 100,
  'commit unanswered': 100,
  'server restarted': 350,
  'rows purged': 75,
  'device crashed': 450,
  'device restarted from disk': 450,
  'device crashed while it opened its disk': 8,
  'device crashed while it read rows': 15,
  'disk refused': 500,
  'disk full for a while': 150,
  'disk took it again': 150,
  'disk lost a row': 60,
  'stored rows damaged': 60,
  'waiting change damaged': 40,
  'own record damaged': 20,
  'storage vanished': 85,
  'storage written anew': 85,
  'storage gone at the next start': 3,
  'storage copied': 75,
  'clock jumped': 150,
  'clock jumped a year': 60,
  'weeks passed': 150,
  'away beyond the horizon': 85,
  'came back beyond the horizon with a queue': 80,
  'tombstones forgotten': 20,
  'answer lost': 800,
  'answer cut short': 350,
  'server error before the effect': 400,
  'server error after the effect': 400,
  'request repeated': 400,
  'server crashed while reading': 70,
  'server too old for a while': 45,
  'app too old for a while': 40,
  'spoke protocol 1': 16_000,
  'refused and recovered': 70,
  'opaque row kept': 1_000,
} as const;

/** What 400 histories in which everything else happens as well (mixed.ts) have to meet. */
export const mixedBranches = {
  'server put back': 110,
  'given back by a device': 1_200,
  'cloud sync turned off': 280,
  'made while cloud sync was off and dropped': 2_500,
  'note edited': 2_500,
  'note edits merged': 400,
  'note made plain': 350,
  'word put in': 9_000,
  'word kept in Recovered': 350,
  'word kept in the history': 3,
  'word doubled by a restore': 1,
} as const;
/** What 2,000 histories of several scopes have to meet. */
export const scopeBranches = {
  'label put on': 1_000,
  'label taken off': 600,
  'label of another scope named': 600,
  'label put on and taken off around a move': 300,
  'moved to another scope': 8_000,
  'refused with several scopes': 600,
  'one scope heard alone': 500,
  'all heard at one moment': 10_000,
  'answer with several scopes lost': 2_600,
  'app with several scopes ended': 2_600,
  'moved between look and lock': 1_000,
  'undone with several scopes': 1_000,
  'withheld for a scope that the server does not know': 1_000,
  'sent anew with several scopes': 600,
  'undone after a move': 300,
  'move undone': 200,
  'history asked by row after a move': 1_200,
  'commit for several scopes failed': 600,
  'scope left': 200,
  'scope entered again': 15,
  'written before a move and heard after it': 700,
  'scope read again': 0,
  'step of a large move': 8_000,
  'server ended in the middle of a large move': 700,
} as const;

/** What 120 histories of people who share lists have to meet. */
export const sharedBranches = {
  'list shared': 200,
  'note edited after a move': 100,
  'member left': 30,
  'member joined': 5,
  'shared list placed': 300,
  'folder trashed': 100,
  'mount with its list': 50,
  'mount without its list': 10,
  'list without the place of a mount': 20,
  commented: 300,
  'comment of another changed': 20,
  assigned: 100,
  'private label put on or taken off': 600,
  'label made private': 80,
  'label of an exclusive group chosen': 400,
  'label of an exclusive group replaced': 80,
  'file attached': 400,
  'content of a file sent': 400,
  'file found after a move': 100,
  'moved to another scope': 1_000,
  'server put back': 80,
  'given back by a device': 900,
  'device crashed': 50,
  'disk refused': 50,
  'commit unanswered': 10,
  'word let go of by a late answer': 0,
} as const;

export type Branch =
  | keyof typeof branches
  | keyof typeof mixedBranches
  | keyof typeof scopeBranches
  | keyof typeof sharedBranches;

/** What goes wrong, as opposed to what is done about it. */
export const faults = [
  'request repeated',
  'answer lost',
  'answer cut short',
  'server error before the effect',
  'server error after the effect',
  'group failed',
  'commit unanswered',
  'server restarted',
  'server crashed while reading',
  'server too old for a while',
  'app too old for a while',
  'spoke protocol 1',
  'rows purged',
  'away beyond the horizon',
  'device crashed',
  'disk refused',
  'disk full for a while',
  'disk lost a row',
  'stored rows damaged',
  'waiting change damaged',
  'own record damaged',
  'storage vanished',
  'storage copied',
  'clock jumped a year',
] as const satisfies readonly Branch[];

const names = [
  ...new Set([branches, mixedBranches, scopeBranches, sharedBranches].flatMap(Object.keys)),
] as Branch[];

export class Hits {
  readonly counts: Map<Branch, number>;

  constructor(counts: Iterable<readonly [Branch, number]> = []) {
    this.counts = new Map(counts);
  }

  hit(branch: Branch, times = 1): void {
    this.counts.set(branch, (this.counts.get(branch) ?? 0) + times);
  }

  add(other: Hits): void {
    for (const [branch, times] of other.counts) this.hit(branch, times);
  }

  of(branch: Branch): number {
    return this.counts.get(branch) ?? 0;
  }

  /**
   * Branches that were reached less often than they have to be in this share of the histories that the table is for. One that is rarer
   * than once in so many may be missed: any change of the program changes what a seed lives through.
   */
  tooRare(least: Readonly<Partial<Record<Branch, number>>>, share = 1): readonly string[] {
    return (Object.entries(least) as [Branch, number][])
      .map(([branch, times]): [Branch, number] => [branch, Math.floor(times * share)])
      .filter(([branch, times]) => this.of(branch) < times)
      .map(([branch, times]) => `${branch}: ${this.of(branch)} of ${times}`);
  }

  toString(): string {
    return names.map((branch) => `${branch}: ${this.of(branch)}`).join('\n');
  }
}
