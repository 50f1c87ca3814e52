import { Check, Link2, Mic, MicOff, PhoneOff, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { cn } from '#web/lib/class-names';
import { Button } from '#web/ui/button';
import { Dialog } from '#web/ui/layers/dialog';
import { toast } from '#web/ui/layers/toast';
import { Tooltip } from '#web/ui/layers/tooltip';
import { DeviceField } from './device-field.tsx';
import { useDevices } from './use-devices.ts';

interface RoomControlsProps {
  /** The address under which somebody else comes into this room. */
  invitation: () => Promise<string>;
  muted: boolean;
  switching: boolean;
  onMuted: (muted: boolean) => void;
  microphoneId: string | null;
  onMicrophone: (id: string) => void;
  speakerId: string | null;
  onSpeaker: (id: string) => void;
  onHangUp: () => void;
}

/** What one does in a room besides talking, where a thumb finds it. */
export function RoomControls(props: RoomControlsProps) {
  const { invitation, muted, switching, onMuted, onHangUp } = props;
  const [choosing, setChoosing] = useState(false);
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
      <Tooltip text="Choose devices">
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label="Choose devices"
          onClick={() => setChoosing(true)}
        >
          <Settings2 aria-hidden="true" />
        </Button>
      </Tooltip>
      <InviteButton invitation={invitation} />
      <Button variant="danger" size="lg" onClick={onHangUp} className="h-12 rounded-full">
        <PhoneOff aria-hidden="true" />
        Hang up
      </Button>
      <Dialog open={choosing} onOpenChange={setChoosing} title="Devices">
        <DeviceChoice {...props} />
      </Dialog>
    </div>
  );
}

type DeviceChoiceProps = Pick<RoomControlsProps, 'microphoneId' | 'onMicrophone' | 'speakerId' | 'onSpeaker'>;

function DeviceChoice({ microphoneId, onMicrophone, speakerId, onSpeaker }: DeviceChoiceProps) {
  const microphones = useDevices('audioinput', true);
  const speakers = useDevices('audiooutput', true);
  return (
    <div className="flex flex-col gap-5 pt-5">
      {microphones.length > 0 ? (
        <DeviceField label="Microphone" devices={microphones} chosen={microphoneId} onChoose={onMicrophone} />
      ) : (
        <p className="text-ink-muted text-sm">
          This browser shows no microphone. Connect one, or allow it in the address bar.
        </p>
      )}
      {speakers.length > 0 && (
        <DeviceField label="Loudspeaker" devices={speakers} chosen={speakerId} onChoose={onSpeaker} />
      )}
    </div>
  );
}

const COPIED_MS = 2_000;

/** Copies the address under which somebody else comes into this room. */
function InviteButton({ invitation }: Pick<RoomControlsProps, 'invitation'>) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    let address: string;
    try {
      address = await invitation();
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'The link could not be made.');
      return;
    }
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
