import type { Contact } from '#shared/conversations';
import type { Draft, Turn } from './draft.ts';

/** Parts in which somebody may tell a number or an address. */
const MAX_PIECES = 3;
/** Characters of a note. */
const MAX_NOTE = 500;

type Leaving = Pick<Turn, 'turn' | 'state' | 'language' | 'message' | 'voice'>;

/** When they want a colleague, or leave how they can be reached. */
export function handoverReply(around: Leaving): Draft | null {
  const { turn, state, language, message, voice } = around;
  const { messages, say, words } = language;
  const { pending } = state;
  const asked = pending?.is === 'contact' ? pending.asked : null;
  const heard = pending?.is === 'contact' ? (pending.heard ?? []) : [];
  const given = messages.contactIn([...heard, turn.text].join('. '), asked);
  const wants =
    message.acts.includes('handover') || (pending?.is === 'colleague' && message.acts.includes('yes'));
  const more = restOfNumber(around) ?? correctedReply(around);
  if (more) return more;
  const isReachable = Boolean(given.phone ?? given.email);
  // One half of a number is no number: the other half is waited for.
  if (asked === 'phone' && !isReachable && messages.isPartOfContact(turn.text) && heard.length < MAX_PIECES)
    return {
      sentences: [say.goOn(voice)],
      outcome: 'handover',
      state: { pending: { is: 'contact', asked, heard: [...heard, turn.text] } },
    };
  const wasAbout = asked !== null || (state.isHandedOver && state.isPersonal);
  const leaves = isReachable || (wasAbout && Boolean(given.name));
  const isBare = leaves && words.stopWordsOnly(turn.text.replace(given.phone ?? given.email ?? '', ''));
  if (!wants && !isBare && !(leaves && (wasAbout || pending?.is === 'colleague' || state.isHandedOver)))
    return null;
  const contact: Contact = { ...state.contact, ...given };
  const note = noteOf(around);
  if (note && !contact.note) contact.note = note;
  const feeling = wants && message.mood ? say.empathy(voice, message.mood) : '';
  // "Have somebody ring me. Oh one six three two": the rest is still to come.
  const part = language.splitSentences(turn.text).filter(messages.isPartOfContact).join(' ');
  if (!contact.phone && !contact.email && part)
    return {
      sentences: [say.goOn(voice)],
      outcome: 'handover',
      state: { contact, isHandedOver: true, pending: { is: 'contact', asked: 'phone', heard: [part] } },
    };
  if (!contact.phone && !contact.email)
    return {
      sentences: say.askHowToReach(voice, feeling),
      outcome: 'handover',
      state: { contact, isHandedOver: true, pending: { is: 'contact', asked: 'phone' } },
    };
  const isNew = Boolean(given.phone ?? given.email ?? given.name) || !state.isHandedOver;
  const sentences = isNew ? say.handedOver(contact) : [say.alreadyHandedOver(voice)];
  const isNameless = !contact.name && asked !== 'name';
  return {
    sentences: [feeling, ...sentences, ...(isNameless ? [say.askName(voice)] : [])],
    outcome: 'handover',
    state: {
      contact,
      isHandedOver: true,
      ...(isNameless ? { pending: { is: 'contact', asked: 'name' } as const } : {}),
    },
  };
}

/** The rest of a number that was taken for whole. */
function restOfNumber({ turn, state, language, voice }: Leaving): Draft | null {
  const { messages, say } = language;
  const { contact, pending } = state;
  if (pending?.is !== 'contact' || pending.asked !== 'name' || !contact.phone) return null;
  if (messages.isCorrection(turn.text) || !messages.isPartOfContact(turn.text)) return null;
  const { phone } = messages.contactIn(`${contact.phone}. ${turn.text}`, 'phone');
  if (!phone || phone.length <= contact.phone.length) return null;
  return {
    sentences: [...say.handedOver({ ...contact, phone }), say.askName(voice)],
    outcome: 'handover',
    state: { contact: { ...contact, phone }, pending },
  };
}

/** What was read back to them was wrong, as a whole or in a part of it. */
function correctedReply({ turn, state, language, message, voice }: Leaving): Draft | null {
  const { messages, say } = language;
  const { contact, pending } = state;
  if (!state.isHandedOver || !state.isPersonal || !(contact.phone ?? contact.email ?? contact.name))
    return null;
  const isAskedForName = pending?.is === 'contact' && pending.asked === 'name';
  const isCorrection = messages.isCorrection(turn.text);
  const corrected = isCorrection || !isAskedForName ? messages.correctedContact(contact, turn.text) : null;
  if (corrected) {
    const changed = (['name', 'phone', 'email'] as const).find((key) => corrected[key] !== contact[key]);
    return {
      sentences: say.corrected((changed && corrected[changed]) ?? ''),
      outcome: 'handover',
      state: { contact: corrected, ...(isAskedForName && changed !== 'name' ? { pending } : {}) },
    };
  }
  if (!message.acts.includes('misunderstood') || message.needs.length > 0) return null;
  const { phone: _, email: __, ...rest } = contact;
  return {
    sentences: say.askReachAgain(voice),
    outcome: 'handover',
    state: { contact: rest, pending: { is: 'contact', asked: 'phone' } },
  };
}

/** Words that carry meaning in a wish for a colleague that says what about: "the manager, about a visit". */
const TELLING_WORDS = 3;

/** What a colleague is to answer: what is still open, else what they say they want one for, else what was asked last. */
function noteOf({ turn, state, message, language }: Leaving): string | null {
  const { messages, words, splitSentences } = language;
  const wish = splitSentences(turn.text).filter(
    (sentence) =>
      Object.keys(messages.contactIn(sentence, null)).length === 0 && !messages.isPartOfContact(sentence),
  );
  const isTelling =
    message.acts.includes('handover') && new Set(words.termsOf(wish.join(' '))).size >= TELLING_WORDS;
  const note = state.open ?? (isTelling ? wish.join(' ') : state.question);
  return note?.slice(0, MAX_NOTE) ?? null;
}
