import type { Citation, Contact } from '#shared/conversations';
import type { Persona } from './persona.ts';

/**
 * All that the grounded responder says on its own account. Several wordings each, chosen by the place in the conversation
 * so that a call does not repeat itself and a test can rely on it.
 */
export interface Voice {
  persona: Persona;
  agentName: string;
  companyName: string;
  /** Grows by one with every turn. */
  turn: number;
}

function pick(voice: Voice, wordings: readonly string[]): string {
  const text = wordings[voice.turn % wordings.length] ?? '';
  return voice.persona.contractions ? text : spelledOut(text);
}

function spelledOut(text: string): string {
  return text
    .replace(/\bI'm\b/g, 'I am')
    .replace(/\bI'd\b/g, 'I would')
    .replace(/\bI've\b/g, 'I have')
    .replace(/\bI'll\b/g, 'I will')
    .replace(/\b([Yy])ou're\b/g, '$1ou are')
    .replace(/\b([Tt])hat's\b/g, '$1hat is')
    .replace(/\b([Ii])t's\b/g, '$1t is')
    .replace(/\b([Ww])e're\b/g, '$1e are')
    .replace(/\b([Dd])on't\b/g, '$1o not')
    .replace(/\b([Cc])an't\b/g, '$1annot')
    .replace(/\b([Ii])sn't\b/g, '$1s not')
    .replace(/\b([Ww])hat's\b/g, '$1hat is')
    .replace(/\b([Tt])here's\b/g, '$1here is');
}

const byTone = (
  voice: Voice,
  wordings: Partial<Record<Persona['tone'], readonly string[]>> & { plain: readonly string[] },
) => pick(voice, wordings[voice.persona.tone] ?? wordings.plain);

const joined = (topics: readonly string[]) =>
  topics.length > 1 ? `${topics.slice(0, -1).join(', ')} and ${topics.at(-1)}` : (topics[0] ?? '');

export function welcome(voice: Voice, topics: readonly string[]): string {
  const { agentName, companyName } = voice;
  const help =
    topics.length > 0
      ? `I can help with ${joined(topics)}.`
      : 'I can answer questions about our company and services.';
  return pick(voice, [
    {
      formal: `Good day, this is ${agentName} from ${companyName}. ${help} How may I help you?`,
      friendly: `Hello, this is ${agentName} from ${companyName}. ${help} What can I do for you?`,
      playful: `Hi there! ${agentName} from ${companyName} here. ${help} What's on your mind?`,
      plain: `Hello, this is ${agentName} from ${companyName}. ${help} How can I help you?`,
    }[voice.persona.tone],
  ]);
}

export const greeting = (voice: Voice) =>
  byTone(voice, {
    formal: ['Good day. How may I help you?', 'Hello. What may I do for you?'],
    friendly: ['Hello! What can I do for you?', 'Hi! How can I help you today?'],
    playful: ['Hey there! What can I do for you?', "Hi again! What's on your mind?"],
    plain: ['Hello. How can I help you?', 'Hi. What can I help you with?'],
  });

export const thanks = (voice: Voice) =>
  byTone(voice, {
    formal: [
      'You are most welcome. Is there anything else I may help you with?',
      'My pleasure. May I help you with anything else?',
    ],
    friendly: [
      "You're very welcome! Is there anything else I can help with?",
      'Happy to help! Anything else you would like to know?',
    ],
    playful: ['Anytime! Anything else I can dig up for you?', 'My pleasure! What else can I do for you?'],
    plain: ["You're welcome. Is there anything else I can help with?", 'Glad to help. Anything else?'],
  });

export const goodbye = (voice: Voice) =>
  byTone(voice, {
    formal: [`Thank you for contacting ${voice.companyName}. Goodbye.`],
    friendly: [`Thank you for contacting ${voice.companyName}. Take care, goodbye!`],
    playful: [`Thanks for chatting with ${voice.companyName}. Bye for now, and have a great day!`],
    plain: [`Thank you for contacting ${voice.companyName}. Goodbye!`],
  });

export const howAreYou = (voice: Voice) =>
  byTone(voice, {
    formal: ['I am well, thank you for asking. How may I help you?'],
    friendly: ["I'm doing well, thanks for asking! How can I help you today?"],
    playful: ["I'm great, thanks for asking! What can I do for you today?"],
    plain: ["I'm well, thank you. How can I help you?"],
  });

export const whoAreYou = (voice: Voice) =>
  pick(voice, [
    `I'm ${voice.agentName}, the automated assistant of ${voice.companyName}. How can I help you?`,
  ]);

export const areYouHuman = (voice: Voice) =>
  pick(voice, [
    `I'm ${voice.agentName}, an automated assistant and not a person. I answer from what ${voice.companyName} has told me, and a human colleague can take over if you prefer.`,
  ]);

export const whatCanYouDo = (voice: Voice, topics: readonly string[]) =>
  pick(voice, [
    topics.length > 0
      ? `I can answer questions about ${joined(topics)} at ${voice.companyName}. What would you like to know?`
      : `I can answer questions about ${voice.companyName} and its services. What would you like to know?`,
  ]);

export const acknowledged = (voice: Voice) =>
  byTone(voice, {
    formal: ['Very well. Is there anything else I may help you with?'],
    friendly: ['Great! Is there anything else I can help with?', 'Alright! What else can I do for you?'],
    playful: ['Great! Anything else on your mind?'],
    plain: ['Alright. Is there anything else I can help with?', 'Okay. What else can I help you with?'],
  });

export const denied = (voice: Voice) =>
  pick(voice, [
    'Alright. If anything else comes up, just ask.',
    "No problem. I'm here if you need anything else.",
  ]);

/** The answer was beside the point. */
export const misunderstood = (voice: Voice) =>
  byTone(voice, {
    formal: ['I apologise for the misunderstanding. Could you put it in other words, please?'],
    plain: [
      'Sorry, I got that wrong. What would you like to know?',
      'Sorry about that. Could you put it in other words?',
    ],
  });

/** They want a moment, or silence. */
export const takeYourTime = (voice: Voice) =>
  byTone(voice, {
    formal: ['Of course, please take your time.'],
    plain: ["Okay, I'm listening.", 'Sure, take your time.'],
  });

export const compliment = (voice: Voice) =>
  byTone(voice, {
    formal: ['Thank you, that is very kind of you. Is there anything else I may help you with?'],
    plain: ["Thank you, that's kind of you. Is there anything else I can help with?"],
  });

export const abuse = (voice: Voice) =>
  pick(voice, [
    "I'm sorry that this has been so annoying. Tell me what went wrong and I'll do my best, or I can have a colleague get back to you.",
    "I can hear that you're upset, and I'd like to help. What can I look up for you, or shall a colleague get back to you?",
  ]);

export const injection = (voice: Voice) =>
  pick(voice, [
    `I can't help with that, because how I'm set up stays private. I'm happy to answer questions about ${voice.companyName}.`,
    `That's not something I can share. Is there something about ${voice.companyName} that I can help you with?`,
  ]);

export const joke = (voice: Voice) =>
  pick(voice, [
    `That's outside what I can help with here. I can answer questions about ${voice.companyName}, though.`,
    `I can only help with questions about ${voice.companyName}. Is there anything about that you would like to know?`,
  ]);

/** Advice that only a professional may give. */
export const advice = (voice: Voice) =>
  pick(voice, [
    "I'm not able to give advice on that, and a professional should. For anything about our services I can help, or have a colleague get back to you.",
  ]);

export const declined = (voice: Voice) =>
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
  });

/** When one of several questions cannot be answered. */
export const declinedPart = (voice: Voice) =>
  pick(voice, [
    "As for the rest, I don't have that information, but a colleague can get back to you.",
    "On your other question I don't have an answer, but I can have a colleague get back to you.",
  ]);

/** The closest passage, named and offered; `others` are what else it could be about. */
export const offer = (voice: Voice, topic: string, told: readonly string[], others: readonly string[]) => [
  pick(voice, ["I'm not sure I have exactly that.", "I'm not sure I have just that."]),
  topic ? `About ${topic}, it says: ${told.join(' ')}` : `The closest I have is: ${told.join(' ')}`,
  isIt(others),
];

/** Another passage, after the first was not it. */
export const offerAnother = (
  voice: Voice,
  topic: string,
  told: readonly string[],
  others: readonly string[],
) => [
  pick(voice, ["Sorry, then I'm not sure I have it.", "Then I'm not sure I have that."]),
  topic ? `The next closest is about ${topic}: ${told.join(' ')}` : `The next closest is: ${told.join(' ')}`,
  isIt(others),
];

/** What bears on it was told a moment ago. */
export const nothingMore = (voice: Voice) => [
  pick(voice, [
    "I don't have more on that than what I just said.",
    "Beyond that I don't have anything on it.",
  ]),
  'Shall a colleague get back to you about it?',
];

/** The same rule with another figure elsewhere: both are said, and where they stand. */
export function elsewhere(source: string, other: Citation): string[] {
  const [own, place] = [source, other.source].map((path) => path.split(' › ').at(-1) ?? '');
  return [
    ...(own && own !== place ? [`That stands under "${own}".`] : []),
    `${place && place !== own ? `Under "${place}"` : 'Elsewhere'} it says: ${other.text}`,
    'A colleague can tell you which of the two holds.',
  ];
}

/** What is near the second of two questions. */
export const alsoTold = (topic: string, told: readonly string[]) => [
  topic ? `And about ${topic}, it says: ${told.join(' ')}` : `It also says: ${told.join(' ')}`,
];

export const letColleague = (voice: Voice) =>
  pick(voice, [
    'Shall a colleague look at this with you and get back to you?',
    'I would rather have a colleague sort this out with you. Shall they get back to you?',
  ]);

/** What there is on the topic they picked. */
export const toldOf = (topic: string, told: readonly string[]) => [
  `About ${topic}, it says: ${told.join(' ')}`,
  'Does that answer it?',
];

const isIt = (others: readonly string[]) =>
  others.length > 0
    ? `Is that what you meant, or is it about ${orJoined(others)}?`
    : 'Is that what you meant?';

/** One short question that names what it could be. */
export const askWhich = (voice: Voice, topics: readonly string[]) => [
  pick(voice, ["I'm not sure I understood what you need.", "I'm not sure what to look up."]),
  `Is this about ${orJoined(topics)}?`,
];

/** Nothing was said that could be looked up. */
export const askWhat = (voice: Voice, topics: readonly string[]) =>
  topics.length > 1
    ? [`What is it about: ${orJoined(topics)}?`]
    : [pick(voice, ['What exactly is it about?', 'Could you tell me a little more about it?'])];

export const askWhatAbout = (name: string) => `What would you like to know about ${name}?`;

/** Something was told, nothing asked. */
export const tellMore = (voice: Voice) => [
  byTone(voice, {
    formal: ['Thank you for telling me. What would you like to know?'],
    plain: ['Okay. What would you like to know about that?', 'All right. What do you need to know?'],
  }),
];

/** What only somebody with the customer's own records can say. */
export const cannotSee = (voice: Voice) => [
  pick(voice, [
    "I can't see your own records or bookings from here.",
    "That is in your own records, which I can't see from here.",
  ]),
  'Shall a colleague look into it and get back to you?',
];

const orJoined = (topics: readonly string[]) =>
  topics.length > 1 ? `${topics.slice(0, -1).join(', ')}, or ${topics.at(-1)}` : (topics[0] ?? '');

/** It was what they meant, and there is nothing more to it. */
export const confirmed = (voice: Voice) =>
  pick(voice, ['Good. What else can I do for you?', "I'm glad that helps. Anything else?"]);

/** None of what was offered was it. */
export const noneOfThese = (voice: Voice) => [
  pick(voice, ["Then I don't have that, I'm sorry.", "Then that isn't in what I have, I'm sorry."]),
  'Shall a colleague get back to you about it?',
];

/** A colleague will get back to them: what was left is read back once. */
export function handedOver({ name, phone, email, reference }: Contact): string[] {
  const ways = [phone, email].filter(Boolean).join(' or ');
  const about = reference ? ` about ${reference}` : '';
  return [
    `${name ? `Thank you, ${name}.` : 'Thank you.'}`,
    `I've noted ${ways || 'that'}, and a colleague will get back to you${about}.`,
  ];
}

export const alreadyHandedOver = (voice: Voice) =>
  pick(voice, [
    'A colleague has your message and will get back to you.',
    'Your message is with a colleague, who will get back to you.',
  ]);

export const askName = (voice: Voice) =>
  pick(voice, ['And what is your name, please?', 'May I have your name, too?']);

export const askHowToReach = (voice: Voice, feeling: string) => [
  feeling,
  pick(voice, [
    'A colleague will read this conversation and get back to you.',
    "I'll leave this for a colleague, who gets back to you.",
  ]),
  pick(voice, [
    'What number or e-mail can they reach you on?',
    'How can they best reach you, by telephone or e-mail?',
  ]),
];

/** Corrected as they said. */
export const corrected = (what: string) => `I've changed it to ${what}.`;

export const empathy = (voice: Voice, mood: 'frustrated' | 'broken' | 'sorry-customer') =>
  mood === 'sorry-customer'
    ? pick(voice, ['No need to apologise.', "That's no problem at all."])
    : mood === 'broken'
      ? pick(voice, ["I'm sorry to hear that.", "Oh, I'm sorry about that."])
      : pick(voice, [
          "I'm sorry for the trouble.",
          'I understand how frustrating that is.',
          "I'm sorry this has been so difficult.",
        ]);

/** A human word before anything else. */
export const concerned = (voice: Voice, kind: 'danger' | 'injury') =>
  pick(voice, [
    kind === 'danger' ? "That sounds dangerous, so let's be quick." : "I'm so sorry, that sounds serious.",
  ]);

export const emergency = (voice: Voice, kind: 'danger' | 'injury') =>
  pick(voice, [
    kind === 'danger'
      ? 'Please get to safety first: leave the area, and call the emergency services right away.'
      : 'Please get medical help first: call the emergency services right away if anyone is hurt.',
  ]);

export const emergencyHandover = (voice: Voice) =>
  pick(voice, ['Once everybody is safe, I can have a human colleague follow up with you.']);
