import { DoorClosed } from 'lucide-react';
import type { OwnRoom } from '#shared/rooms';
import { t } from '#web/texts/rooms';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { useParticipantAction } from './own-room.ts';

/** The people in the lobby of the user's room. */
export function WaitingGuests({ room }: { room: OwnRoom }) {
  const { mutate: act, isPending } = useParticipantAction(room.roomName);
  return room.waiting.map(({ identity, name }) => (
    <Banner key={identity} role="status" className="sm:items-center" icon={<DoorClosed aria-hidden="true" />}>
      <span className="flex flex-wrap items-center justify-between gap-3">
        <span className="wrap-anywhere min-w-0">
          {t.rich('own.waiting', { name, guest: (text) => <bdi className="font-medium">{text}</bdi> })}
        </span>
        <span className="flex gap-2">
          <Button size="sm" disabled={isPending} onClick={() => act({ identity, what: 'admit' })}>
            {t('own.letIn')}
          </Button>
          <Button
            size="sm"
            variant="secondary"
            disabled={isPending}
            onClick={() => act({ identity, what: 'remove' })}
          >
            {t('own.turnAway')}
          </Button>
        </span>
      </span>
    </Banner>
  ));
}
