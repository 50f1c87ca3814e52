import type { Contact } from '#shared/conversations';
import type { Draft, Turn } from './draft.ts';
import { dialledFrom } from './emergency-numbers.ts';
import { inGroups } from './phone-groups.ts';

/** Parts in which a customer may give a number or an address. */
const MAX_PIECES = 6;
/** Characters of a note. */
const MAX_NOTE = 500;

type Leaving = Pick<Turn, 'turn' | 'state' | 'language' | 'message' | 'voice'>;

/** The reply to a customer who wants a colleague, or leaves contact details. */
export function handoverReply(around: Leaving): Draft | null {
  const { turn, state, language, message, voice } = around;
  const { messages, say, words } = language;
  const { pending } = state;
  const asked = pending?.is === 'contact' ? pending.asked : null;
  const heard = pending?.is === 'contact' ? (pending.heard ?? []) : [];
  const told = [...heard, turn.text].join('. ');
  const given = messages.contactIn(told, asked);
  const wants =
    message.acts.includes('handover') || (pending?.is === 'colleague' && message.acts.includes('yes'));
  const more =
    confirmedReply(around) ?? restOfNumber(around) ?? correctedReply(around) ?? refusedHalf(around, heard);
  if (more) return more;
  // Half of a number is not accepted: waits for the other half, unless they say that this was all.
  const part = given.email ? null : messages.unfinishedContact(told, asked === 'phone');
  const isTelling = message.isStatement || message.needs.length === 0 || messages.announcesContact(turn.text);
  const goesOn =
    part !== null && (wants || isTelling) && messages.unfinishedContact(turn.text, true) !== null;
  if (goesOn && heard.length < MAX_PIECES) return goOn(around, { ...given, phone: undefined }, heard, part);
  const isReachable = Boolean(given.phone ?? given.email);
  const wasAbout = asked !== null || (state.isHandedOver && state.isPersonal);
  const leaves = isReachable || (wasAbout && Boolean(given.name));
  const isBare = leaves && words.stopWordsOnly(turn.text.replace(given.phone ?? given.email ?? '', ''));
  // A number alone is meant as contact details, unless it comes with a question.
  const isLeft = isReachable && isTelling && !messages.isCorrection(turn.text);
  const isMeant =
    isBare || isLeft || (leaves && (wasAbout || pending?.is === 'colleague' || state.isHandedOver));
  if (!wants && !isMeant) return null;
  const contact: Contact = { ...state.contact, ...given };
  const note = noteOf(around);
  if (note && !contact.note) contact.note = note;
  const feeling = wants && message.mood ? say.empathy(voice, message.mood) : '';
  if (!contact.phone && !contact.email)
    return {
      sentences: say.askHowToReach(voice, feeling),
      outcome: 'handover',
      state: { contact, isHandedOver: true, pending: { is: 'contact', asked: 'phone' } },
    };
  const isNew = Boolean(given.phone ?? given.email ?? given.name) || !state.isHandedOver;
  const sentences = isNew ? say.handedOver(asReadBack(contact, turn)) : [say.alreadyHandedOver(voice)];
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

/** The contact details left, with the number in groups. */
const asReadBack = (contact: Contact, { agent }: Leaving['turn']): Contact =>
  contact.phone ? { ...contact, phone: inGroups(contact.phone, dialledFrom(agent)) } : contact;

/** "Have somebody ring me. Oh one six three two": the rest is still to come. */
function goOn(around: Leaving, { name }: Contact, heard: readonly string[], part: string): Draft {
  const { turn, state, language, voice } = around;
  const contact: Contact = { ...state.contact, ...(name ? { name } : {}) };
  const note = noteOf(around);
  if (note && !contact.note) contact.note = note;
  return {
    sentences: [language.say.goOn(voice)],
    outcome: 'handover',
    state: {
      contact,
      isHandedOver: true,
      pending: { is: 'contact', asked: 'phone', heard: heard.length > 0 ? [...heard, turn.text] : [part] },
    },
  };
}

/** What was read back to them is right: they hear what happens now. */
function confirmedReply({ turn, state, language, message, voice }: Leaving): Draft | null {
  const { messages, say } = language;
  const { contact, pending } = state;
  const isReadBack = state.isHandedOver && state.isPersonal && Boolean(contact.phone ?? contact.email);
  const isNameAsked = pending?.is === 'contact' && pending.asked === 'name';
  if (!isReadBack || (pending !== null && !isNameAsked) || message.acts.includes('goodbye')) return null;
  const isAgreed = message.acts.includes('yes') && message.needs.length === 0;
  const lastSaid = turn.history.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const asked = { readBack: lastSaid, isYesAskedFor: true, agentName: turn.agent.name };
  if (!isAgreed && messages.consentIn(turn.text, asked) !== 'yes') return null;
  return {
    sentences: [say.alreadyHandedOver(voice), ...(isNameAsked ? [say.askName(voice)] : [])],
    outcome: 'handover',
    state: { pending },
  };
}

/** The number is wrong as a whole: they give it again. */
function refusedHalf({ turn, language, message, voice }: Leaving, heard: readonly string[]): Draft | null {
  const isRefused = message.acts.includes('misunderstood') && message.needs.length === 0;
  if (heard.length === 0 || !isRefused || language.messages.unfinishedContact(turn.text, true)) return null;
  return {
    sentences: language.say.askReachAgain(voice),
    outcome: 'handover',
    state: { pending: { is: 'contact', asked: 'phone' } },
  };
}

/** The rest of a number that was accepted as complete. */
function restOfNumber({ turn, state, language, voice }: Leaving): Draft | null {
  const { messages, say } = language;
  const { contact, pending } = state;
  if (pending?.is !== 'contact' || pending.asked !== 'name' || !contact.phone) return null;
  if (messages.isCorrection(turn.text) || !messages.isPartOfContact(turn.text)) return null;
  const { phone } = messages.contactIn(`${contact.phone}. ${turn.text}`, 'phone');
  if (!phone || phone.length <= contact.phone.length) return null;
  return {
    sentences: [...say.handedOver(asReadBack({ ...contact, phone }, turn)), say.askName(voice)],
    outcome: 'handover',
    state: { contact: { ...contact, phone }, pending },
  };
}

/** The details read back were wrong, as a whole or in part. */
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
      // "Yes, that's right, it's Mrs Lund" completes what was left.
      sentences:
        changed === 'name' && !isCorrection && messages.contactIn(turn.text, null).name
          ? say.handedOver(asReadBack(corrected, turn))
          : say.corrected((changed && asReadBack(corrected, turn)[changed]) ?? ''),
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

/** Content words in a wish for a colleague that names its subject: "the manager, about a visit". */
const TELLING_WORDS = 3;

/** The note for the colleague: the open question, else the stated subject, else the last question. */
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
