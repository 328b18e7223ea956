// Tells when the page is read and has been seen. A page that nobody looks at is never painted: it does not wait for that.

const isRead = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState !== 'loading') resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });

const isSeen = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve();
    // The entry comes when the picture is on the screen, not when it has been drawn.
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
    // Put aside before it was seen.
    return document.addEventListener('visibilitychange', () => document.hidden && resolve());
  });

/** Runs `work` once the page is read and has been seen, or is put aside. */
export function afterFirstPaint(work: () => void): void {
  void Promise.all([isRead(), isSeen()]).then(work);
}
