// Stands in for Node's "stream" in the browser: the XML parser asks for it to offer itself as a stream too, and makes do without.
// We hand it whole texts.

export const Stream = null;
