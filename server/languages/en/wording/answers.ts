import type { Wording } from '../../wording.ts';
import { eitherOf } from '../lists.ts';
import { byTone, pick } from './voice.ts';

export const answers = {
  declined: (voice) =>
    byTone(voice, {
      formal: [
        "I am afraid I don't have that information. I can have a colleague get back to you about it.",
        "I regret that I don't have an answer to that. Shall I ask a colleague to contact you?",
        "I don't have reliable information on that. A colleague can look into it and get back to you.",
      ],
      playful: [
        "Hmm, I don't have that one in my notes. I can have a colleague get back to you about it!",
        "That one has me stumped: I don't have that information. Shall a colleague get back to you?",
        "I don't have an answer to that, and I'd rather not guess. A colleague can get back to you.",
      ],
      plain: [
        "I'm sorry, I don't have that information. I can have a colleague get back to you about it.",
        "I don't have an answer to that, and I'd rather not guess. Shall a colleague get back to you?",
        "That isn't in the information I have, so I don't have a reliable answer. A colleague can get back to you.",
      ],
    }),

  declinedPart: (voice) =>
    pick(voice, [
      "As for the rest, I don't have that information, but a colleague can get back to you.",
      "On your other question I don't have an answer, but I can have a colleague get back to you.",
    ]),

  offer: (voice, topic, told, others) => [
    pick(voice, ["I'm not sure I have exactly that.", "I'm not sure I have just that."]),
    topic ? `About ${topic}, it says: ${told.join(' ')}` : `The closest I have is: ${told.join(' ')}`,
    isIt(others),
  ],

  offerAnother: (voice, topic, told, others) => [
    pick(voice, ["Sorry, then I'm not sure I have it.", "Then I'm not sure I have that."]),
    topic
      ? `The next closest is about ${topic}: ${told.join(' ')}`
      : `The next closest is: ${told.join(' ')}`,
    isIt(others),
  ],

  nothingMore: (voice) => [
    pick(voice, [
      "I don't have more on that than what I just said.",
      "Beyond that I don't have anything on it.",
    ]),
    'Shall a colleague get back to you about it?',
  ],

  elsewhere(source, other) {
    const [own, place] = [source, other.source].map((path) => path.split(' › ').at(-1) ?? '');
    return [
      ...(own && own !== place ? [`That stands under "${own}".`] : []),
      `${place && place !== own ? `Under "${place}"` : 'Elsewhere'} it says: ${other.text}`,
      'A colleague can tell you which of the two holds.',
    ];
  },

  alsoTold: (topic, told) => [
    topic ? `And about ${topic}, it says: ${told.join(' ')}` : `It also says: ${told.join(' ')}`,
  ],

  toldOf: (topic, told) => [`About ${topic}, it says: ${told.join(' ')}`, 'Does that answer it?'],

  askWhich: (voice, topics) => [
    pick(voice, ["I'm not sure I understood what you need.", "I'm not sure what to look up."]),
    `Is this about ${eitherOf(topics)}?`,
  ],

  askWhat: (voice, topics) =>
    topics.length > 1
      ? [`What is it about: ${eitherOf(topics)}?`]
      : [pick(voice, ['What exactly is it about?', 'Could you tell me a little more about it?'])],

  askWhatAbout: (name) => `What would you like to know about ${name}?`,

  tellMore: (voice, isNear) => [
    byTone(voice, {
      formal: ['Thank you for telling me. What would you like to know?'],
      plain: ['Okay. What would you like to know about that?', 'All right. What do you need to know?'],
    }),
    isNear ? '' : 'Or shall a colleague get back to you about it?',
  ],

  cannotSee: (voice, general) => [
    pick(voice, [
      "I can't see your own records or bookings from here.",
      "That is in your own records, which I can't see from here.",
    ]),
    ...(general.length > 0 ? ['Here is what applies in general.', ...general] : []),
    'Shall a colleague look into it and get back to you?',
  ],

  confirmed: (voice) =>
    pick(voice, ['Good. What else can I do for you?', "I'm glad that helps. Anything else?"]),

  noneOfThese: (voice) => [
    pick(voice, ["Then I don't have that, I'm sorry.", "Then that isn't in what I have, I'm sorry."]),
    'Shall a colleague get back to you about it?',
  ],
} satisfies Partial<Wording>;

const isIt = (others: readonly string[]) =>
  others.length > 0
    ? `Is that what you meant, or is it about ${eitherOf(others)}?`
    : 'Is that what you meant?';
