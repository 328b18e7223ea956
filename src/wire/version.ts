// The version of the replication protocol, apart from its shapes (sync.ts): a device names it before it needs them.
// Protocol version: the one constant below, with its history.
//   1  first version
//   2  edits of notes merge (`note`); a restored server gets back what only devices still hold (`rollback`, `stood`,
//      `reoffer`, verdict `parked`)
//   3  completing a repeating task opens what is complete beneath it (`anew`); one occurrence can differ from its series
//      (`series`, and what of it goes with an advance); a rule remembers a time of day (`anchorTime`)
//   4  a push says when it was sent, by the server's clock (`sentAt`)

/**
 * Version of the replication protocol, sent as `schema` with every push. A server refuses newer versions and upcasts
 * older ones.
 */
export const protocolVersion = 4;
