// What TypeScript may know of pinned-node.mjs, which has to be plain JavaScript for an older Node.
export declare const serverFlags: readonly string[];
