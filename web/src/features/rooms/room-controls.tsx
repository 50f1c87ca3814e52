import { Check, Link2, Mic, MicOff, PhoneOff, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { cn } from '#web/lib/class-names';
import { Button } from '#web/ui/button';
import { Dialog } from '#web/ui/dialog';
import { toast } from '#web/ui/toast';
import { Tooltip } from '#web/ui/tooltip';
import { MicrophoneField } from './join-form.tsx';
import { type Microphone, useMicrophones } from './use-microphones.ts';

interface RoomControlsProps {
  room: string;
  muted: boolean;
  switching: boolean;
  onMuted: (muted: boolean) => void;
  microphoneId: string | null;
  onMicrophone: (id: string) => void;
  onHangUp: () => void;
}

/** What one does in a room besides talking, where a thumb finds it. */
export function RoomControls(props: RoomControlsProps) {
  const { room, muted, switching, onMuted, microphoneId, onMicrophone, onHangUp } = props;
  const [choosing, setChoosing] = useState(false);
  const microphones = useMicrophones(choosing);
  const MicrophoneIcon = muted ? MicOff : Mic;
  const label = muted ? 'Unmute microphone' : 'Mute microphone';
  return (
    <div role="toolbar" aria-label="Call controls" className="flex items-center justify-center gap-3">
      <Tooltip text={label}>
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label={label}
          aria-pressed={muted}
          disabled={switching}
          onClick={() => onMuted(!muted)}
          className={cn(muted && 'border-negative/35 bg-negative-soft text-negative-text')}
        >
          <MicrophoneIcon aria-hidden="true" />
        </Button>
      </Tooltip>
      <Tooltip text="Choose a microphone">
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label="Choose a microphone"
          onClick={() => setChoosing(true)}
        >
          <Settings2 aria-hidden="true" />
        </Button>
      </Tooltip>
      <InviteButton room={room} />
      <Button variant="danger" size="lg" onClick={onHangUp} className="h-12 rounded-full">
        <PhoneOff aria-hidden="true" />
        Hang up
      </Button>
      <Dialog open={choosing} onOpenChange={setChoosing} title="Microphone">
        <MicrophoneChoice microphones={microphones} microphoneId={microphoneId} onMicrophone={onMicrophone} />
      </Dialog>
    </div>
  );
}

function MicrophoneChoice(props: {
  microphones: readonly Microphone[];
  microphoneId: string | null;
  onMicrophone: (id: string) => void;
}) {
  return (
    <div className="pt-5">
      {props.microphones.length > 0 ? (
        <MicrophoneField {...props} />
      ) : (
        <p className="text-ink-muted text-sm">
          This browser shows no microphone. Connect one, or allow it in the address bar.
        </p>
      )}
    </div>
  );
}

const COPIED_MS = 2_000;

/** Copies the address under which somebody else comes into this room. */
function InviteButton({ room }: { room: string }) {
  const [copied, setCopied] = useState(false);
  const address = `${window.location.origin}/live-call/${encodeURIComponent(room)}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      // Without permission to the clipboard the address can still be read and copied by hand.
      toast.info(`Send this address: ${address}`);
    }
  };
  return (
    <Tooltip text={copied ? 'Copied' : 'Copy invitation link'}>
      <Button variant="secondary" size="icon-lg" aria-label="Copy invitation link" onClick={copy}>
        {copied ? <Check aria-hidden="true" /> : <Link2 aria-hidden="true" />}
        <span role="status" className="sr-only">
          {copied ? 'Invitation link copied' : ''}
        </span>
      </Button>
    </Tooltip>
  );
}
