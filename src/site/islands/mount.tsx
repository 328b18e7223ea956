// Brings the island of a page to life. It begins as the state that was prerendered.
import { hydrateRoot } from 'react-dom/client';
import { codeIn, Invitation } from './invitation.tsx';
import { ListInvitationPage } from './list-invitation.tsx';
import type { Film } from '../world.ts';
import { ResetPassword } from './reset-password.tsx';

const place = document.querySelector<HTMLElement>('#island');
const query = new URLSearchParams(location.search);

function islandFor(name: string | undefined) {
  // Written by our own build.
  const overview = JSON.parse(place?.dataset['overview'] ?? 'null') as Film | null;
  if (name === 'invitation') return <Invitation code={codeIn(location.pathname)} overview={overview} />;
  if (name === 'list-invitation')
    return <ListInvitationPage token={query.get('token')} version={query.get('v')} />;
  return name === 'reset-password' ? <ResetPassword token={query.get('token')} /> : null;
}

const island = islandFor(place?.dataset['island']);
if (place && island) hydrateRoot(place, island);
