import {
  type Channel,
  type ConversationState,
  conversationStates,
  MAX_SEARCH_CHARACTERS,
  type Outcome,
  type Sentiment,
  sentiments,
} from '#shared/conversations';
import { formatDay } from '#web/lib/formats';
import { t } from '#web/texts/conversations';

export const presets = ['today', '7d', '30d', '90d'] as const;
type Preset = (typeof presets)[number];

export const presetNames: Record<Preset, string> = {
  today: t('filters.today'),
  '7d': t('filters.last7'),
  '30d': t('filters.last30'),
  '90d': t('filters.last90'),
};

/** The outcomes to filter by; cards use the same words. */
export const outcomeFilters = ['handover', 'declined', 'offered', 'answered'] as const satisfies Outcome[];
type OutcomeFilter = (typeof outcomeFilters)[number];

/** The channels to filter by: try-outs are not stored. */
export const channelFilters = ['page', 'simulator', 'room', 'door', 'phone'] as const satisfies Channel[];
type ChannelFilter = (typeof channelFilters)[number];

/** From one day to another, both included and written as `yyyy-MM-dd`; null leaves that end open. */
interface Range {
  from: string | null;
  to: string | null;
}

/** The filters of the list of conversations. */
export interface ConversationFilters {
  search: string;
  sentiments: readonly Sentiment[];
  outcomes: readonly OutcomeFilter[];
  period: Preset | Range | null;
  /** All conversations of the workspace, or only one's own. The filters below apply to all. */
  everybody: boolean;
  agentId: string | null;
  channel: ChannelFilter | null;
  state: ConversationState | null;
}

export const noFilters: ConversationFilters = {
  search: '',
  sentiments: [],
  outcomes: [],
  period: null,
  everybody: false,
  agentId: null,
  channel: null,
  state: null,
};

export function isFiltered(filters: ConversationFilters): boolean {
  const { search, sentiments: labels, outcomes, period, agentId, channel, state } = filters;
  const isNarrowed = [period, agentId, channel, state].some((each) => each !== null);
  return search.trim() !== '' || labels.length > 0 || outcomes.length > 0 || isNarrowed;
}

/** The filters in an address, without invalid ones. */
export function readFilters(address: URLSearchParams): ConversationFilters {
  const labels = (address.get('sentiment') ?? '').split(',');
  const named = (address.get('outcome') ?? '').split(',');
  const preset = presets.find((each) => each === address.get('period'));
  const [from, to] = [readDay(address.get('from')), readDay(address.get('to'))];
  const everybody = address.get('of') === 'workspace';
  return {
    search: (address.get('q') ?? '').slice(0, MAX_SEARCH_CHARACTERS),
    sentiments: sentiments.filter((each) => labels.includes(each)),
    outcomes: outcomeFilters.filter((each) => named.includes(each)),
    period: preset ?? (from || to ? ordered({ from, to }) : null),
    everybody,
    agentId: everybody ? address.get('agent') : null,
    channel: everybody ? (channelFilters.find((each) => each === address.get('channel')) ?? null) : null,
    state: everybody ? (conversationStates.find((each) => each === address.get('state')) ?? null) : null,
  };
}

/** The filters as an address holds them. */
export function writeFilters(filters: ConversationFilters): URLSearchParams {
  const { search, sentiments: labels, outcomes, period, everybody, agentId, channel, state } = filters;
  const address = new URLSearchParams();
  if (everybody) address.set('of', 'workspace');
  if (search.trim()) address.set('q', search);
  if (labels.length > 0) address.set('sentiment', labels.join(','));
  if (outcomes.length > 0) address.set('outcome', outcomes.join(','));
  if (typeof period === 'string') address.set('period', period);
  else if (period) {
    if (period.from) address.set('from', period.from);
    if (period.to) address.set('to', period.to);
  }
  if (everybody && agentId) address.set('agent', agentId);
  if (everybody && channel) address.set('channel', channel);
  if (everybody && state) address.set('state', state);
  return address;
}

/** The filters as an API query: days are the reader's own, from midnight to midnight. */
export function filterQuery(filters: ConversationFilters, now: Date): Record<string, string> {
  const { search, sentiments: labels, outcomes, period, everybody, agentId, channel, state } = filters;
  const range = typeof period === 'string' ? presetRange(period, now) : period;
  return {
    ...(search.trim() ? { q: search.trim() } : {}),
    ...(labels.length > 0 ? { sentiment: labels.join(',') } : {}),
    ...(outcomes.length > 0 ? { outcome: outcomes.join(',') } : {}),
    ...(range?.from ? { from: new Date(`${range.from}T00:00`).toISOString() } : {}),
    ...(range?.to ? { to: new Date(`${range.to}T23:59:59.999`).toISOString() } : {}),
    ...(everybody ? { of: 'workspace' } : {}),
    ...(everybody && agentId ? { agentId } : {}),
    ...(everybody && channel ? { channel } : {}),
    ...(everybody && state ? { state } : {}),
  };
}

/** The name of the period, such as "Last 7 days" or "Nov 1 – Nov 20, 2026". */
export function periodName(period: ConversationFilters['period']): string {
  if (period === null) return t('filters.anyTime');
  if (typeof period === 'string') return presetNames[period];
  const { from, to } = period;
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  return from
    ? t('filters.since', { day: formatDay(from) })
    : t('filters.until', { day: formatDay(to ?? '') });
}

const daysBack: Record<Preset, number> = { today: 0, '7d': 6, '30d': 29, '90d': 89 };

function presetRange(preset: Preset, now: Date): Range {
  const from = new Date(now);
  from.setDate(now.getDate() - daysBack[preset]);
  return { from: written(from), to: null };
}

/** As `yyyy-MM-dd`, the Swedish form of a date. */
const written = (day: Date) => day.toLocaleDateString('sv');

function readDay(text: string | null): string | null {
  return text && /^\d{4}-\d{2}-\d{2}$/.test(text) && written(new Date(`${text}T00:00`)) === text
    ? text
    : null;
}

function ordered({ from, to }: Range): Range {
  return from && to && from > to ? { from: to, to: from } : { from, to };
}
