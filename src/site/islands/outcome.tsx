// Replaces something that may have had the focus, and takes the focus over, which would be lost otherwise.
import { type ReactNode, useEffect, useRef, useState } from 'react';

export function Outcome({
  role,
  children,
}: {
  readonly role: 'alert' | 'status';
  readonly children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  // Read while what is replaced is still there.
  const [hadFocus] = useState(() => typeof document === 'object' && document.activeElement !== document.body);
  useEffect(() => {
    if (hadFocus && document.activeElement === document.body) place.current?.focus();
  }, [hadFocus]);
  return (
    <div className="state" role={role} ref={place} tabIndex={-1}>
      {children}
    </div>
  );
}
