import { CircleAlert, DoorOpen, Lock } from 'lucide-react';
import { useState } from 'react';
import type { OwnRoom } from '#shared/rooms';
import { Button } from '#web/ui/button';
import { Switch } from '#web/ui/forms/switch';
import { Dialog } from '#web/ui/layers/dialog';
import { useChangeRoom } from './own-room.ts';

/** Who may come into a room of one's own, and whether the agent stays. Each choice holds at once. */
export function RoomSettings({ room }: { room: OwnRoom }) {
  const [open, setOpen] = useState(false);
  const { mutate: change, variables, isPending, error } = useChangeRoom(room.roomName);
  const shown = isPending ? { ...room, ...variables } : room;
  const isClosed = room.locked || room.access === 'invited';
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setOpen(true)}>
        {isClosed ? <Lock aria-hidden="true" /> : <DoorOpen aria-hidden="true" />}
        Your room
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Your room"
        description="You made this room: you decide who comes in."
      >
        <div className="-mx-6 mt-5 -mb-6 flex flex-col gap-6 overflow-y-auto px-6 pt-1 pb-6">
          {error && (
            <p role="alert" className="flex items-start gap-1.5 text-sm text-urgent-text">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {error.message}
            </p>
          )}
          <Switch
            label="By invitation"
            hint={
              shown.access === 'invited'
                ? 'Only people with a link of yours come in. A link holds for a week.'
                : 'Everybody with an account here may join by the room’s name.'
            }
            checked={shown.access === 'invited'}
            onChange={(invited) => change({ access: invited ? 'invited' : 'members' })}
          />
          <Switch
            label="Lobby"
            hint="Whoever comes waits until you let them in."
            checked={shown.lobby}
            onChange={(lobby) => change({ lobby })}
          />
          <Switch
            label="Locked"
            hint="Nobody else comes in, not even with a link. Who is here stays."
            checked={shown.locked}
            onChange={(locked) => change({ locked })}
          />
          <Switch
            label="Let my agent stay"
            hint={
              shown.agentStays
                ? 'It goes on to answer from your information while you are away.'
                : 'It answers from your information only while you are here.'
            }
            checked={shown.agentStays}
            onChange={(agentStays) => change({ agentStays })}
          />
        </div>
      </Dialog>
    </>
  );
}
