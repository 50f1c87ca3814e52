import type { MessageSentiment } from '#server/engines/sentiment/contract';
import { packOf } from '#server/languages/index';

/** What of a customer's message the conversation's label depends on. */
export interface FeltMessage extends MessageSentiment {
  /** It says that the customer's matter is settled. */
  settles: boolean;
  /** It is thanks and nothing else, which is half a feeling. */
  isCourtesy: boolean;
}

/** A conversation's label counts this many of the customer's newest messages; nobody's mood is older than that. */
export const COUNTED_MESSAGES = 200;

/** How much less a message counts for every one that came after it; one without a feeling hardly changes the mood. */
const FADING = 0.5;
const FADING_BY_NEUTRAL = 0.85;
const NEUTRAL_WEIGHT = 0.2;
/** From where on a mood between -1 and 1 is called one. */
const MOOD = 0.2;

/** Who says that a matter is settled says it in few words, or at once. */
const LOOKED_AT_CHARACTERS = 400;

/** The classifier knows English alone, and so does what is made of its labels. */
const { settles, isCourtesy } = packOf('en').sentiment;

/** A customer's message as it counts for its conversation. */
export function felt(content: string, { label, score }: MessageSentiment): FeltMessage {
  const beginning = content.slice(0, LOOKED_AT_CHARACTERS);
  return { label, score, settles: settles(beginning, label), isCourtesy: isCourtesy(beginning) };
}

/**
 * How the customer stands at the end of a conversation. Something urgent that was never settled makes it urgent; otherwise
 * the mood of the last messages decides, each counting less than the one after it. A matter that is settled leaves nothing
 * bad behind.
 * @param messages the customer's, oldest first
 */
export function standingOf(messages: readonly FeltMessage[]): MessageSentiment {
  const settledAt = messages.findLastIndex(({ settles }) => settles);
  const open = messages.slice(settledAt + 1).filter(({ label }) => label === 'urgent');
  if (open.length > 0) return { label: 'urgent', score: Math.max(...open.map(({ score }) => score)) };
  return moodOf(messages.slice(Math.max(0, settledAt)));
}

function moodOf(messages: readonly FeltMessage[]): MessageSentiment {
  let weight = 1;
  let sum = 0;
  let total = 0;
  for (const message of messages.toReversed()) {
    const isNeutral = message.label === 'neutral';
    const share = weight * (isNeutral ? NEUTRAL_WEIGHT : 1);
    sum += share * feelingOf(message);
    total += share;
    weight *= isNeutral ? FADING_BY_NEUTRAL : FADING;
  }
  const mood = total === 0 ? 0 : sum / total;
  // Courtesy takes the edge off a complaint and makes nobody glad.
  const isGlad = messages.some(({ label, isCourtesy }) => label === 'positive' && !isCourtesy);
  if (mood > 0 && !isGlad) return { label: 'neutral', score: rounded(1 - mood) };
  if (Math.abs(mood) < MOOD) return { label: 'neutral', score: rounded(1 - Math.abs(mood)) };
  return { label: mood > 0 ? 'positive' : 'negative', score: rounded(Math.abs(mood)) };
}

function feelingOf({ label, score, settles, isCourtesy }: FeltMessage): number {
  if (label === 'positive') return isCourtesy ? score / 2 : score;
  // Words such as "the broken one is fixed now" describe trouble that is over.
  return label === 'neutral' || settles ? 0 : -score;
}

const rounded = (x: number) => Math.round(x * 1e4) / 1e4;
