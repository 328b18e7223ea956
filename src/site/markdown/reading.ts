// What the drawing of a Markdown text needs to know.
import type { SiteWorld } from '../world.ts';

export interface Reading {
  readonly world: SiteWorld;
  /** Named in messages. */
  readonly source: string;
  /** Put before the anchors of headings, where several texts stand on one page. */
  readonly prefix?: string;
  /** Levels that headings go down by. */
  readonly deeper?: number;
}
