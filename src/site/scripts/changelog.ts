// Asks the server for releases that are newer than the page. What it answers is checked and drawn node by node; a failed or
// malformed answer is said above the list that is there already.
import { drawNotes } from './release-notes.ts';

interface Release {
  readonly id: string;
  readonly version: string;
  readonly notes: string;
  readonly at: string;
}

const FAILED = 'Something went wrong fetching the changelog, try refreshing the page';

function readRelease(value: unknown): Release | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Readonly<Record<string, unknown>>;
  const {
    id,
    version,
    release_notes: notes,
    made_generally_available_at: available,
    created_at: created,
  } = fields;
  const isKnown = typeof id === 'string' || typeof id === 'number';
  if (!isKnown || typeof version !== 'string' || typeof notes !== 'string' || typeof created !== 'string')
    return null;
  if (typeof fields['updated_at'] !== 'string') return null;
  if (available !== null && typeof available !== 'string') return null;
  const at = available ?? created;
  return Number.isNaN(Date.parse(at)) ? null : { id: String(id), version, notes, at };
}

/** Newest first; null when the answer has another shape. */
function readReleases(value: unknown): readonly Release[] | null {
  const list =
    typeof value === 'object' && value !== null && 'app_releases' in value ? value.app_releases : undefined;
  if (!Array.isArray(list)) return null;
  const releases = list.map(readRelease);
  if (releases.some((release) => release === null)) return null;
  return releases
    .filter((release) => release !== null)
    .toSorted((one, two) => Date.parse(two.at) - Date.parse(one.at));
}

function draw({ version, notes, at }: Release): HTMLElement {
  const article = document.createElement('article');
  article.className = 'release';
  article.id = `v${version.replaceAll(/[^0-9a-z]+/gi, '-')}`;
  const heading = document.createElement('h2');
  const link = document.createElement('a');
  link.href = `#${article.id}`;
  link.textContent = version;
  const time = document.createElement('time');
  time.dateTime = at;
  time.textContent = new Date(at).toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    // The day that the page says already, wherever it is read.
    timeZone: 'UTC',
  });
  heading.append(link, ' ', time);
  article.append(heading, drawNotes(notes));
  article.normalize();
  return article;
}

/** What is the same stays the same element: somebody may have come to a link in it, or marked its words. */
function replace(list: HTMLElement, releases: readonly Release[]): void {
  const known = [...list.children];
  const articles = releases.map(draw).map((drawn) => known.find((each) => each.isEqualNode(drawn)) ?? drawn);
  for (const each of known) if (!articles.includes(each)) each.remove();
  for (const [index, article] of articles.entries()) {
    const there = list.children[index] ?? null;
    if (there !== article) list.insertBefore(article, there);
  }
}

export async function refreshChangelog(): Promise<void> {
  const place = document.querySelector<HTMLElement>('[data-changelog]');
  const list = place?.querySelector<HTMLElement>('[data-releases]');
  const loading = place?.querySelector<HTMLElement>('[data-loading]');
  const problem = place?.querySelector<HTMLElement>('[data-problem]');
  if (!place || !list || !loading || !problem) return;
  place.ariaBusy = 'true';
  loading.hidden = list.childElementCount > 0;
  try {
    const response = await fetch(place.dataset['changelog'] ?? '');
    const answer: unknown = await response.json();
    const releases = response.ok ? readReleases(answer) : null;
    if (releases) replace(list, releases);
    else problem.textContent = FAILED;
  } catch {
    problem.textContent = FAILED;
  }
  loading.hidden = true;
  place.ariaBusy = 'false';
}
