import { conversationStates } from '#shared/conversations';
import { t } from '#web/texts/conversations';
import { channelNames, stateNames } from '#web/ui/conversation/whereabouts';
import { Select } from '#web/ui/forms/select';
import { type ConversationFilters, channelFilters } from './filters.ts';

interface WorkspaceFiltersProps {
  filters: ConversationFilters;
  onChange: (filters: ConversationFilters) => void;
  agents: readonly { _id: string; name: string }[];
}

/** Filters of the workspace's conversations: agent, channel, state. */
export function WorkspaceFilters({ filters, onChange, agents }: WorkspaceFiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-2 max-sm:[&>:first-child]:col-span-2 sm:flex sm:flex-wrap">
      <Choice
        label={t('filters.agent')}
        any={t('filters.anyAgent')}
        value={filters.agentId}
        choices={agents.map(({ _id, name }) => ({ value: _id, name }))}
        onChange={(agentId) => onChange({ ...filters, agentId })}
      />
      <Choice
        label={t('filters.channel')}
        any={t('filters.anyChannel')}
        value={filters.channel}
        choices={channelFilters.map((value) => ({ value, name: channelNames[value] }))}
        onChange={(channel) => onChange({ ...filters, channel })}
      />
      <Choice
        label={t('filters.state')}
        any={t('filters.anyState')}
        value={filters.state}
        choices={conversationStates.map((value) => ({ value, name: stateNames[value] }))}
        onChange={(state) => onChange({ ...filters, state })}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  /** The label while nothing is chosen. */
  any: string;
  value: T | null;
  choices: readonly { value: T; name: string }[];
  onChange: (value: T | null) => void;
}

function Choice<T extends string>({ label, any, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <Select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(choices.find((each) => each.value === event.target.value)?.value ?? null)}
      className={value === null ? '' : 'border-accent-line! text-accent-text'}
    >
      <option value="">{any}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.name}
        </option>
      ))}
    </Select>
  );
}
