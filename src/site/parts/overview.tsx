// The overview recording, 2 m 40 s, with its captions. It is loaded when somebody plays it.

export function Overview({ src }: { readonly src: string }) {
  return (
    <video controls preload="none" playsInline src={src} aria-label="Overview of Posthaste, 2 m 40 s">
      <track kind="captions" srcLang="en" label="English" src={src.replace(/\.mp4$/, '.vtt')} default />
    </video>
  );
}
