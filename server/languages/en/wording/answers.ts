import type { Wording } from '../../wording.ts';
import { eitherOf } from '../lists.ts';
import { isNameable, namedTopic } from '../telling/headings.ts';
import { isDeed, spokenTopic } from '../topics/topics.ts';
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

  offer: (voice, { topic, told, other, isFar }) => [
    topic
      ? pick(voice, [`Do you mean ${namedTopic(topic)}?`, `Is it about ${namedTopic(topic)}?`])
      : pick(voice, ['Perhaps this helps.', 'Maybe this is it.']),
    ...asConsequence(told),
    isFar
      ? pick(voice, ['If not, a colleague can help.', 'Or shall a colleague help?'])
      : other
        ? `Or is it about ${namedTopic(other)}?`
        : topic
          ? ''
          : 'Is that what you mean?',
  ],

  offerAnother: (voice, topic, told) => [
    topic
      ? pick(voice, [`Is it about ${namedTopic(topic)}, then?`, `Then perhaps ${namedTopic(topic)}?`])
      : pick(voice, ['Then perhaps this.', 'Or maybe this.']),
    ...asConsequence(told),
    topic ? '' : 'Is that it?',
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
    const topic = place && place !== own ? spokenTopic(place) : '';
    return [
      `${isNameable(topic) ? `Under ${topic}` : 'Elsewhere'} I also find: ${other.text}`,
      'A colleague can tell you which of the two holds.',
    ];
  },

  alsoTold: (topic, told) => [
    ...(topic ? [`And if you mean ${namedTopic(topic)}:`] : ['And perhaps this:']),
    ...told,
  ],

  toldOf: (told) => [...told, 'Does that answer it?'],

  askWhich: (voice, topics) => [
    pick(voice, [
      `Sorry, is it about ${eitherOf(topics.map(namedTopic))}?`,
      `Do you mean ${eitherOf(topics.map(namedTopic))}?`,
    ]),
  ],

  askWhat: (voice, topics) =>
    topics.length > 1
      ? [`What is it about: ${eitherOf(topics.map(namedTopic))}?`]
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

  confirmedWith: (told) => ['Good.', ...told],

  noneOfThese: (voice) => [
    pick(voice, ["Then I don't have that, I'm sorry.", "Then that isn't in what I have, I'm sorry."]),
    'Shall a colleague get back to you about it?',
  ],
} satisfies Partial<Wording>;

/**
 * "Then call within 24 hours": an instruction follows from the question. An unsure answer begins with neither
 * yes nor no.
 */
const asConsequence = (told: readonly string[]) => {
  const [first = '', ...rest] = told.filter((sentence, at) => at > 0 || !/^(?:yes|no)[.!]?$/i.test(sentence));
  const bare = first.replace(/^(?:yes|no)[.!,]\s+/i, '');
  const open = bare.charAt(0).toUpperCase() + bare.slice(1);
  return [isDeed(open) ? `Then ${open.charAt(0).toLowerCase()}${open.slice(1)}` : open, ...rest];
};
