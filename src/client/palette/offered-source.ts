// Palette items of other parts (offering.ts), including the guides and the tabs of the settings.
import type { Program } from '../app/program.ts';
import { hasPlans } from '../plan/offered.ts';
import { type FoldedQuery, type Prepared, prepare, type Range, rankFolded } from '../search/ranking.ts';
import { openSettings } from '../settings/lazy.ts';
import { settingTabs } from '../settings/setting.ts';
import { guides } from './guides.ts';
import { closing, type Item, itemOf, type Ranked, type Reach, type Source } from './item.ts';
import type { Offered, Offering } from './offering.ts';

/** A guide has the name of its commands, and comes behind them. */
const BEHIND = -420;

interface Ready {
  readonly offering: Offering;
  readonly offered: Offered;
  readonly prepared: Prepared;
}

function ownOfferings(program: Program): readonly Offering[] {
  return [
    {
      kind: 'Settings',
      icon: 'settings',
      scopes: '>',
      bonus: -40,
      offered: () =>
        settingTabs.map((tab) => ({
          id: `settings.${tab}`,
          title: `Settings: ${tab}`,
          aliases: ['preferences', 'options'],
          hint: '',
          run: () => openSettings(program, tab),
        })),
    },
    {
      kind: 'Guides',
      icon: 'guide',
      scopes: '',
      bonus: BEHIND,
      offered: () =>
        guides
          // Where nothing is sold, nothing can be earned.
          .filter(([id]) => id !== 'affiliates' || hasPlans(program))
          .map(([id, title, aliases]) => ({
            id: `guide.${id}`,
            title,
            aliases: [...aliases, 'guide', 'help', 'manual'],
            hint: 'Guide, opens in a new tab',
            run: () => program.platform.openLink(`/guides/${id}`),
          })),
    },
  ];
}

export class OfferedSource implements Source {
  /** Each offering has its own scopes. */
  readonly scopes = '>@#';
  readonly #reach: Reach;
  readonly #own: readonly Offering[];
  #ready: readonly Ready[] | null = null;
  /** The prefix of the current query. */
  scope = '';

  constructor(reach: Reach) {
    this.#reach = reach;
    this.#own = ownOfferings(reach.program);
  }

  refresh(): void {
    this.#ready = null;
  }

  get #all(): readonly Ready[] {
    const { program, names } = this.#reach;
    this.#ready ??= [...program.parts.offerings, ...this.#own].flatMap((offering) =>
      offering.offered().map((offered) => ({
        offering,
        offered,
        prepared: prepare({ title: offered.title, aliases: offered.aliases, own: names.of(offered.id) }),
      })),
    );
    return this.#ready;
  }

  find(query: FoldedQuery): readonly Ranked[] {
    return this.#all.flatMap((ready) => {
      const { offering } = ready;
      if (this.scope !== '' && !offering.scopes.includes(this.scope)) return [];
      const hit = rankFolded(query, ready.prepared);
      if (!hit) return [];
      const item = this.#item(ready, hit.matches);
      return [{ item, score: hit.score + offering.bonus + this.#reach.habit(item.id) }];
    });
  }

  /** The item with this id, if it exists. */
  named(id: string): Item | null {
    const ready = this.#all.find(({ offered }) => offered.id === id);
    return ready ? this.#item(ready, []) : null;
  }

  #item({ offering, offered }: Ready, matches: readonly Range[]): Item {
    const { id, title, hint, keys = [], unavailable = null } = offered;
    return itemOf({
      id,
      title,
      hint,
      keys,
      unavailable,
      matches,
      icon: offering.icon,
      kind: offering.kind,
      choose: closing(this.#reach, offered.run),
    });
  }
}
