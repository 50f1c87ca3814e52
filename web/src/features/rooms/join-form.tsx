import { DoorClosed, Link2, Radio } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t as common } from '#web/texts/common';
import { t } from '#web/texts/rooms';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Card, CardBody } from '#web/ui/card';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { Select } from '#web/ui/forms/select';
import { toast } from '#web/ui/layers/toast';
import { DeviceField } from './device-field.tsx';
import { MicrophoneTest } from './microphone-test.tsx';
import { useDevices } from './use-devices.ts';

/** Specification, section 8. */
export const MICROPHONE_DENIED = common('microphoneDenied');

/** An agent that can be invited into a room. */
interface AgentChoice {
  id: string;
  name: string;
  companyName: string;
}

interface JoinFormProps {
  roomName: string;
  onRoomName: (name: string) => void;
  /** The user's agents; without a choice the demo agent takes part. */
  agents: readonly AgentChoice[];
  agentId: string;
  onAgent: (id: string) => void;
  microphoneId: string | null;
  onMicrophone: (id: string) => void;
  joining: boolean;
  problem: string | null;
  /** The server's sentence for people in the lobby; null outside of it. */
  lobby: string | null;
  onStopWaiting: () => void;
  /** Why the last visit ended by itself. */
  lost: string | null;
  /** A link to the record of the last visit. */
  record: ReactNode;
  onJoin: () => void;
  onJoinTest: () => void;
}

/** The form for joining a room. */
export function JoinForm(props: JoinFormProps) {
  const { roomName, onRoomName, agents, agentId, onAgent, microphoneId, onMicrophone } = props;
  const { joining, problem, lobby, onStopWaiting, lost, record, onJoin, onJoinTest } = props;
  const [allowed, setAllowed] = useState(false);
  const microphones = useDevices('audioinput', allowed);
  return (
    <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
      <Card>
        <CardBody>
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              onJoin();
            }}
            className="flex flex-col gap-5"
          >
            {problem && (
              <Banner tone="error" role="alert">
                {problem}
              </Banner>
            )}
            {lobby && (
              <Banner role="status" className="sm:items-center" icon={<DoorClosed aria-hidden="true" />}>
                <span className="flex flex-wrap items-center justify-between gap-3">
                  {lobby}
                  <Button size="sm" variant="secondary" onClick={onStopWaiting}>
                    {common('cancel')}
                  </Button>
                </span>
              </Banner>
            )}
            {!problem && !lobby && lost && (
              <Banner tone="warning" role="alert">
                {lost}
              </Banner>
            )}
            {!problem && !lobby && record}
            <Field label={t('join.name')}>
              {(control) => (
                <Input
                  {...control}
                  value={roomName}
                  onChange={(event) => onRoomName(event.target.value)}
                  placeholder={t('join.namePlaceholder')}
                  disabled={joining}
                  dir="auto"
                  autoComplete="off"
                  enterKeyHint="go"
                />
              )}
            </Field>
            {agents.length > 0 && (
              <Field label={t('join.agent')} hint={t('join.agentHint')}>
                {(control) => (
                  <Select
                    {...control}
                    value={agentId}
                    disabled={joining}
                    onChange={(event) => onAgent(event.target.value)}
                  >
                    <option value="">{t('join.demoAgent')}</option>
                    {agents.map(({ id, name, companyName }) => (
                      <option key={id} value={id}>
                        {`${name}, ${companyName}`}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            )}
            {microphones.length > 1 && (
              <DeviceField
                label={t('join.microphone')}
                devices={microphones}
                chosen={microphoneId}
                onChoose={onMicrophone}
                disabled={joining}
              />
            )}
            {!joining && (
              <MicrophoneTest
                microphoneId={microphoneId}
                onAllowed={() => setAllowed(true)}
                onDenied={() => toast.error(MICROPHONE_DENIED)}
              />
            )}
            <div className="flex flex-col gap-3 sm:flex-row">
              <Button type="submit" size="lg" busy={joining} className="sm:min-w-40">
                {joining ? t('join.busy') : t('join.submit')}
              </Button>
              <Button variant="secondary" size="lg" disabled={joining} onClick={onJoinTest}>
                {joining ? t('join.busy') : t('join.test')}
              </Button>
            </div>
          </form>
        </CardBody>
      </Card>
      <aside className="flex flex-col gap-5 px-1 text-ink-muted text-sm lg:pt-4">
        <Fact icon={<Radio aria-hidden="true" />}>{t('join.text')}</Fact>
        <Fact icon={<Link2 aria-hidden="true" />}>{t('join.afterwards')}</Fact>
      </aside>
    </div>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex gap-3 [&_svg]:mt-0.5 [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-accent-text">
      {icon}
      <span>{children}</span>
    </p>
  );
}
