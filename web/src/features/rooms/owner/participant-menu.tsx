import { EllipsisVertical, MicOff, UserX } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/texts/rooms';
import { Button } from '#web/ui/button';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/layers/dropdown-menu';
import { toast } from '#web/ui/layers/toast';
import { useParticipantAction } from './own-room.ts';

interface ParticipantMenuProps {
  roomName: string;
  identity: string;
  /** Display name. */
  name: string;
  isMuted: boolean;
}

/** The owner's actions on a participant. */
export function ParticipantMenu({ roomName, identity, name, isMuted }: ParticipantMenuProps) {
  const [asking, setAsking] = useState(false);
  const { mutate: act } = useParticipantAction(roomName);
  const onError = (error: Error) => toast.error(error.message);
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={t('participants.menu', { name })}>
            <EllipsisVertical aria-hidden="true" />
          </Button>
        }
      >
        <DropdownMenuItem disabled={isMuted} onSelect={() => act({ identity, what: 'mute' }, { onError })}>
          <MicOff aria-hidden="true" />
          {t('participants.mute')}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => setAsking(true)}>
          <UserX aria-hidden="true" />
          {t('participants.remove')}
        </DropdownMenuItem>
      </DropdownMenu>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        question={t('participants.removeQuestion', { name })}
        detail={t('participants.removeDetail')}
        confirm={t('participants.remove')}
        onConfirm={() => act({ identity, what: 'remove' }, { onError })}
      />
    </>
  );
}
