// Reads of single things that many requests ask for at once, in one statement: what was asked while the last one was under way is in the next.

let reads: (() => void)[] = [];

/** Runs after everything else that arrived in this turn, all in one: what they send leaves together. */
function soon(read: () => void): void {
  if (reads.length === 0)
    setImmediate(() => {
      const all = reads;
      reads = [];
      for (const each of all) each();
    });
  reads.push(read);
}

/**
 * Asks `load` for many keys at once. Every key is read after it was asked for. Keys asked for together share a failure.
 */
export function jointly<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting: { readonly key: K; readonly answer: PromiseWithResolvers<V | undefined> }[] = [];

  async function read(): Promise<void> {
    const asked = waiting;
    waiting = [];
    try {
      const found = await load([...new Set(asked.map(({ key }) => key))]);
      for (const { key, answer } of asked) answer.resolve(found.get(key));
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  }

  return (key) => {
    const answer = Promise.withResolvers<V | undefined>();
    if (waiting.length === 0) soon(() => void read());
    waiting.push({ key, answer });
    return answer.promise;
  };
}
