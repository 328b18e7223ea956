// The contents of a guide: beside the text they mark where one is reading, and in a narrow window they fold again once somebody
// went where they lead.

/** The section that is being read is the last one to begin in this part of the window, from the top. */
const READ = 0.35;

function foldAfterUse(): void {
  const contents = document.querySelector<HTMLDetailsElement>('[data-toc-fold]');
  contents?.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) contents.open = false;
  });
}

function markWhatIsRead(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a')];
  const headings = links.flatMap(({ hash }) => document.getElementById(hash.slice(1)) ?? []);
  const mark = () => {
    const begun = headings.filter((each) => each.getBoundingClientRect().top < innerHeight * READ);
    const current = `#${(begun.at(-1) ?? headings[0])?.id}`;
    for (const link of links)
      if (link.hash === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
  };
  const watcher = new IntersectionObserver(mark, { rootMargin: `0px 0px ${READ * 100 - 100}% 0px` });
  for (const heading of headings) watcher.observe(heading);
}

/** Does both, on pages with contents. */
export function watchContents(): void {
  foldAfterUse();
  markWhatIsRead();
}
