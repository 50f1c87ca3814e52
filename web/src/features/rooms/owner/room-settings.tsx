import { CircleAlert, DoorOpen, Lock } from 'lucide-react';
import { useState } from 'react';
import type { OwnRoom } from '#shared/rooms';
import { t } from '#web/texts/rooms';
import { Button } from '#web/ui/button';
import { Switch } from '#web/ui/forms/switch';
import { Dialog } from '#web/ui/layers/dialog';
import { useChangeRoom } from './own-room.ts';

/** Who may join the user's room, and whether the agent stays. Each choice applies at once. */
export function RoomSettings({ room }: { room: OwnRoom }) {
  const [open, setOpen] = useState(false);
  const { mutate: change, variables, isPending, error } = useChangeRoom(room.roomName);
  const shown = isPending ? { ...room, ...variables } : room;
  const isClosed = room.locked || room.access === 'invited';
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setOpen(true)}>
        {isClosed ? <Lock aria-hidden="true" /> : <DoorOpen aria-hidden="true" />}
        {t('own.title')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('own.title')} description={t('own.text')}>
        <div className="-mx-6 mt-5 -mb-6 flex flex-col gap-6 overflow-y-auto px-6 pt-1 pb-6">
          {error && (
            <p role="alert" className="flex items-start gap-1.5 text-sm text-urgent-text">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {error.message}
            </p>
          )}
          <Switch
            label={t('own.invitation')}
            hint={shown.access === 'invited' ? t('own.invitationOn') : t('own.invitationOff')}
            checked={shown.access === 'invited'}
            onChange={(invited) => change({ access: invited ? 'invited' : 'members' })}
          />
          <Switch
            label={t('own.lobby')}
            hint={t('own.lobbyHint')}
            checked={shown.lobby}
            onChange={(lobby) => change({ lobby })}
          />
          <Switch
            label={t('own.locked')}
            hint={t('own.lockedHint')}
            checked={shown.locked}
            onChange={(locked) => change({ locked })}
          />
          <Switch
            label={t('own.agentStays')}
            hint={shown.agentStays ? t('own.agentStaysOn') : t('own.agentStaysOff')}
            checked={shown.agentStays}
            onChange={(agentStays) => change({ agentStays })}
          />
        </div>
      </Dialog>
    </>
  );
}
