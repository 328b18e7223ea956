// Which system the visitor has: it decides which keys are named and what is offered to be installed. An iPad
// calls itself a Mac, here and in its requests; its touch screen tells them apart.

export type System = 'mac' | 'ios' | 'other';

export function readSystem(): System {
  const { userAgentData } = navigator as { readonly userAgentData?: { readonly platform?: string } };
  const said = `${userAgentData?.platform ?? ''} ${navigator.platform ?? ''} ${navigator.userAgent}`;
  if (/iPhone|iPad|iPod/.test(said)) return 'ios';
  if (!/mac/i.test(said)) return 'other';
  return navigator.maxTouchPoints > 0 ? 'ios' : 'mac';
}

/** What the server cannot see it is told by the link, before the link is followed or its menu is opened. */
export function leadDownloads(system: System): void {
  if (system !== 'ios') return;
  const lead = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-download]') : null;
    if (link) link.search = '?for=ios';
  };
  for (const type of ['pointerdown', 'click']) document.addEventListener(type, lead, { capture: true });
}
