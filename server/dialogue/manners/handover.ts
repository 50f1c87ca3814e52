import type { Contact } from '#shared/conversations';
import type { Draft, Turn } from './draft.ts';

/** When they want a colleague, or leave how they can be reached. */
export function handoverReply({
  turn,
  state,
  language,
  message,
  voice,
}: Pick<Turn, 'turn' | 'state' | 'language' | 'message' | 'voice'>): Draft | null {
  const { messages, say, words } = language;
  const { pending } = state;
  const asked = pending?.is === 'contact' ? pending.asked : null;
  const given = messages.contactIn(turn.text, asked);
  const wants =
    message.acts.includes('handover') || (pending?.is === 'colleague' && message.acts.includes('yes'));
  const leaves = Boolean(given.phone ?? given.email) || (asked !== null && Boolean(given.name));
  const name =
    state.isHandedOver && state.contact.name ? messages.correctedName(state.contact.name, turn.text) : null;
  if (name)
    return {
      sentences: say.corrected(name),
      outcome: 'handover',
      state: { contact: { ...state.contact, name } },
    };
  const isBare = leaves && words.stopWordsOnly(turn.text.replace(given.phone ?? given.email ?? '', ''));
  if (!wants && !isBare && !(leaves && (asked !== null || pending?.is === 'colleague' || state.isHandedOver)))
    return null;
  const contact: Contact = { ...state.contact, ...given };
  if (state.question && !contact.note) contact.note = state.question.slice(0, 500);
  const feeling = wants && message.mood ? say.empathy(voice, message.mood) : '';
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
