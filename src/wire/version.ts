// The version of the replication protocol, apart from its shapes (sync.ts): a device names it before it needs them.
// Protocol version: the one constant below, with its history.
//   1  first version
//   2  edits of notes merge (`note`); a restored server gets back what only devices still hold (`rollback`, `stood`,
//      `reoffer`, verdict `parked`)

/** Sent as `schema` with every push. A server refuses what is newer than itself and upcasts what is older. */
export const protocolVersion = 2;
