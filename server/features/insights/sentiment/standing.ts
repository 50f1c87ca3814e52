import type { MessageSentiment } from '#server/engines/sentiment/contract';
import { packOf } from '#server/languages/index';

/** The parts of a customer's message that determine the conversation's label. */
export interface FeltMessage extends MessageSentiment {
  /** It says that the customer's matter is settled. */
  settles: boolean;
  /** It is only thanks, which counts as half a feeling. */
  isCourtesy: boolean;
}

/** A conversation's label counts this many of the customer's newest messages; older moods do not last. */
export const COUNTED_MESSAGES = 200;

/** Factor by which each later message reduces a message's weight; one without a feeling hardly changes the mood. */
const FADING = 0.5;
const FADING_BY_NEUTRAL = 0.85;
const NEUTRAL_WEIGHT = 0.2;
/** Threshold of a mood between -1 and 1. */
const MOOD = 0.2;

/** A customer says that a matter is settled in few words, or at the beginning. */
const LOOKED_AT_CHARACTERS = 400;

/** The classifier knows only English, and so do the rules on its labels. */
const { settles, isCourtesy } = packOf('en').sentiment;

/** The weight of a customer's message in its conversation. */
export function felt(content: string, { label, score }: MessageSentiment): FeltMessage {
  const beginning = content.slice(0, LOOKED_AT_CHARACTERS);
  return { label, score, settles: settles(beginning, label), isCourtesy: isCourtesy(beginning) };
}

/**
 * The customer's mood at the end of a conversation. An urgent message that was never settled makes it urgent; otherwise
 * the mood of the last messages decides, with growing weight. A settled matter leaves no bad mood.
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
  // Courtesy softens a complaint, but is no sign of a good mood.
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
