// Types for the used part of the package web-push, which has none.
declare module 'web-push' {
  export interface RequestOptions {
    readonly vapidDetails: {
      readonly subject: string;
      readonly publicKey: string;
      readonly privateKey: string;
    };
    /** Seconds. */
    readonly TTL: number;
    readonly urgency: 'very-low' | 'low' | 'normal' | 'high';
    /** At most 32 characters of base64url. */
    readonly topic: string;
    readonly contentEncoding: 'aes128gcm';
  }
  export interface RequestDetails {
    readonly method: string;
    readonly endpoint: string;
    readonly headers: Readonly<Record<string, string | number>>;
    readonly body: Buffer | null;
  }
  const webPush: {
    generateVAPIDKeys(): { readonly publicKey: string; readonly privateKey: string };
    /** Encrypts and signs; sends nothing. Throws on invalid keys. */
    generateRequestDetails(
      subscription: {
        readonly endpoint: string;
        readonly keys: { readonly p256dh: string; readonly auth: string };
      },
      payload: string,
      options: RequestOptions,
    ): RequestDetails;
  };
  export default webPush;
}
