import { Clock, Trash2, UserRound } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { formatClock, formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { ContactLine, type ContactPart, contactParts } from '#web/ui/conversation/contact-details';
import { OutcomeBadge } from '#web/ui/conversation/outcome-badge';
import { SentimentBadge } from '#web/ui/conversation/sentiment-badge';
import { channelNames, StateBadge } from '#web/ui/conversation/whereabouts';
import { Skeleton } from '#web/ui/skeleton';
import { isOfAnother, type ShownConversation } from '../api.ts';

/** Height in pixels. Fixed per kind of card, so that a long list knows the position of each. */
export const CARD_HEIGHT = 160;
/** Further details are shown in the conversation itself. */
const MOST_LEFT = 4;
/** Pixels of a line of contact details, and of the gap above them. */
const CONTACT_LINE = 23;
const CONTACT_GAP = 17;
/** Pixels of the line that names the customer of another person's conversation. */
const WHO_LINE = 24;

/** The details left in this conversation that are neither known of the contact nor shown above. */
function leftParts({ contact }: ShownConversation): ContactPart[] {
  const known = contact?._id === undefined ? [] : contact.verified ? ['name', 'email'] : ['name'];
  return contactParts(contact)
    .filter(({ kind }) => !known.includes(kind))
    .slice(0, MOST_LEFT);
}

/** The height of a card in pixels: higher if a customer waits for an answer, or it is another person's conversation. */
export function cardHeight(conversation: ShownConversation): number {
  const left = leftParts(conversation);
  const short = left.filter(({ kind }) => kind !== 'note').length;
  // Two short details share a line; the note has a line to itself.
  const lines = Math.ceil(short / 2) + (left.length - short);
  const who = isOfAnother(conversation) ? WHO_LINE : 0;
  return CARD_HEIGHT + who + (lines > 0 ? CONTACT_GAP + lines * CONTACT_LINE : 0);
}

/** Navigation state of a conversation opened from the list: Back leads there. */
const FROM_LIST = { fromList: true };

interface ConversationCardProps {
  conversation: ShownConversation;
  /** The reader's own id. */
  readerId: string;
  /** Must be stable, or the card is redrawn with every scroll step. */
  onDelete: (conversation: ShownConversation) => void;
}

/** One past conversation; the whole card is its link. */
export const ConversationCard = memo(function ConversationCard({
  conversation,
  readerId,
  onDelete,
}: ConversationCardProps) {
  const { title, agentName, roomName, metadata, outcome, contact, channel, state } = conversation;
  const left = leftParts(conversation);
  const ofAnother = isOfAnother(conversation);
  const place = roomName ?? (ofAnother && channel ? channelNames[channel] : undefined);
  return (
    <article className="group relative flex h-full flex-col rounded-lg border border-line bg-surface p-5 shadow-lift transition-[border-color,box-shadow] focus-within:border-accent-line hover:border-accent-line hover:shadow-float">
      <div className="flex items-start justify-between gap-3">
        <h2
          dir="auto"
          className="wrap-anywhere line-clamp-2 min-w-0 flex-1 font-semibold text-lg leading-6 tracking-[-0.01em]"
        >
          <Link
            to={`/conversations/${encodeURIComponent(conversation._id)}`}
            state={FROM_LIST}
            className="after:absolute after:inset-0 after:rounded-lg"
          >
            {title}
          </Link>
        </h2>
        <SentimentBadge sentiment={metadata.sentiment} />
      </div>
      <div className="mt-1.5 flex items-center justify-between gap-3">
        <p dir="auto" className="min-w-0 truncate text-ink-muted text-sm">
          {agentName && place ? `${agentName} · ${place}` : agentName}
        </p>
        <OutcomeBadge outcome={outcome} />
      </div>
      {ofAnother && (
        <div className="mt-1 flex items-center justify-between gap-3">
          <p className="flex min-w-0 items-center gap-1.5 text-sm">
            <UserRound aria-hidden="true" className="size-3.5 shrink-0 text-ink-faint" />
            <span className="sr-only">{t('detail.contact')}</span>
            <bdi className="truncate">{contact?.name ?? t('speakers.contact')}</bdi>
          </p>
          <StateBadge state={state} />
        </div>
      )}
      {left.length > 0 && (
        <ContactLine
          parts={left}
          className="mt-2.5 grid grid-cols-2 border-line border-t pt-2 [&>:only-child]:col-span-2 [&>[data-kind=note]]:col-span-2"
        />
      )}
      <div className="numbers mt-auto flex items-center gap-3 text-ink-faint text-sm">
        <span className="inline-flex items-center gap-1.5">
          <Clock aria-hidden="true" className="size-4" />
          <span className="sr-only">{t('detail.duration')}</span>
          {formatClock(metadata.duration)}
        </span>
        <time dateTime={metadata.created} className="ml-auto truncate">
          {formatDateTime(metadata.created)}
        </time>
        {(!ofAnother || contact?._id === readerId) && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('list.deleteNamed', { title })}
            onClick={() => onDelete(conversation)}
            className="-mr-2.5 -mb-1.5 -mt-1.5 relative z-10 text-ink-faint hover:not-disabled:text-urgent-text"
          >
            <Trash2 aria-hidden="true" />
          </Button>
        )}
      </div>
    </article>
  );
});

export function ConversationCardSkeleton() {
  return (
    <div
      className="flex flex-col rounded-lg border border-line bg-surface p-5"
      style={{ height: CARD_HEIGHT }}
    >
      <div className="flex justify-between gap-3">
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="h-6 w-20 rounded-full" />
      </div>
      <Skeleton className="mt-3 h-4 w-1/4" />
      <div className="mt-auto flex justify-between">
        <Skeleton className="h-4 w-12" />
        <Skeleton className="h-4 w-32" />
      </div>
    </div>
  );
}
