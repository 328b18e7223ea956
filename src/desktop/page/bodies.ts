// Bodies of requests in WebKitGTK: its process for windows crashes when a program asks for a body that is a Blob or has one in it. So what a page
// sends as a Blob goes out as its bytes. Text and bytes are left as they are.

function withType(headers: HeadersInit | undefined, type: string): Headers {
  const all = new Headers(headers);
  if (type !== '' && !all.has('content-type')) all.set('content-type', type);
  return all;
}

class BytesRequest extends XMLHttpRequest {
  override send(body?: XMLHttpRequestBodyInit | Document | null): void {
    if (!(body instanceof Blob)) {
      super.send(body);
      return;
    }
    void body.arrayBuffer().then(
      (bytes) => {
        // It may have been given up meanwhile.
        if (this.readyState === XMLHttpRequest.OPENED) super.send(bytes);
      },
      // The file is gone: as a network that doesn't answer.
      () => this.dispatchEvent(new ProgressEvent('error')),
    );
  }
}

/** Puts itself before what the page sends by. To be called once, by the first script of the page. */
export function sendBytes(): void {
  const fetchNow = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const body = init?.body;
    if (body instanceof Blob)
      return fetchNow(input, {
        ...init,
        headers: withType(init?.headers, body.type),
        body: await body.arrayBuffer(),
      });
    if (body instanceof FormData || body instanceof ReadableStream) {
      const whole = new Response(body);
      const type = whole.headers.get('content-type') ?? '';
      return fetchNow(input, {
        ...init,
        headers: withType(init?.headers, type),
        body: await whole.arrayBuffer(),
      });
    }
    return fetchNow(input, init);
  };

  window.XMLHttpRequest = BytesRequest;
}
