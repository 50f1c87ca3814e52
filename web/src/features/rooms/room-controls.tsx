import { Check, Link2, Mic, MicOff, PhoneOff, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/rooms';
import { Button } from '#web/ui/button';
import { Dialog } from '#web/ui/layers/dialog';
import { toast } from '#web/ui/layers/toast';
import { Tooltip } from '#web/ui/layers/tooltip';
import { DeviceField } from './device-field.tsx';
import { useDevices } from './use-devices.ts';

interface RoomControlsProps {
  /** The address that brings another person into this room. */
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

/** The controls of a room besides talking, within reach of a thumb. */
export function RoomControls(props: RoomControlsProps) {
  const { invitation, muted, switching, onMuted, onHangUp } = props;
  const [choosing, setChoosing] = useState(false);
  const MicrophoneIcon = muted ? MicOff : Mic;
  const label = muted ? t('controls.unmute') : t('controls.mute');
  return (
    <div role="toolbar" aria-label={t('controls.title')} className="flex items-center justify-center gap-3">
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
      <Tooltip text={t('controls.chooseDevices')}>
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label={t('controls.chooseDevices')}
          onClick={() => setChoosing(true)}
        >
          <Settings2 aria-hidden="true" />
        </Button>
      </Tooltip>
      <InviteButton invitation={invitation} />
      <Button variant="danger" size="lg" onClick={onHangUp} className="h-12 rounded-full">
        <PhoneOff aria-hidden="true" />
        {t('controls.hangUp')}
      </Button>
      <Dialog open={choosing} onOpenChange={setChoosing} title={t('controls.devices')}>
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
        <DeviceField
          label={t('join.microphone')}
          devices={microphones}
          chosen={microphoneId}
          onChoose={onMicrophone}
        />
      ) : (
        <p className="text-ink-muted text-sm">{t('controls.noMicrophone')}</p>
      )}
      {speakers.length > 0 && (
        <DeviceField
          label={t('controls.loudspeaker')}
          devices={speakers}
          chosen={speakerId}
          onChoose={onSpeaker}
        />
      )}
    </div>
  );
}

const COPIED_MS = 2_000;

/** Copies the address that brings another person into this room. */
function InviteButton({ invitation }: Pick<RoomControlsProps, 'invitation'>) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    let address: string;
    try {
      address = await invitation();
    } catch (error) {
      toast.error(error instanceof Error ? error.message : t('controls.linkFailed'));
      return;
    }
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      // Without clipboard permission the address is shown for copying by hand.
      toast.info(t('controls.sendAddress', { address }));
    }
  };
  return (
    <Tooltip text={copied ? t('controls.copied') : t('controls.copyLink')}>
      <Button variant="secondary" size="icon-lg" aria-label={t('controls.copyLink')} onClick={copy}>
        {copied ? <Check aria-hidden="true" /> : <Link2 aria-hidden="true" />}
        <span role="status" className="sr-only">
          {copied ? t('controls.linkCopied') : ''}
        </span>
      </Button>
    </Tooltip>
  );
}
