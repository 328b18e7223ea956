// A picture of a text that cameras read. What makes it is loaded when one is shown.
import { useEffect, useState } from 'react';
import own from './camera-picture.module.css';

/** A picture for cameras, dark on light in every theme. */
export function CameraPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const [path, setPath] = useState<{ readonly d: string; readonly size: number } | null>(null);
  useEffect(() => {
    let isHere = true;
    void import('../../platform/qr.ts').then(
      ({ pictureOf }) => isHere && setPath(pictureOf(text)),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [text]);
  if (path === null) return <div className={own.picture} />;
  return (
    <svg
      className={own.picture}
      viewBox={`0 0 ${path.size} ${path.size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path.d} />
    </svg>
  );
}
