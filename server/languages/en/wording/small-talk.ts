import type { Moment, Wording } from '../../wording.ts';
import { listed } from '../lists.ts';
import { byTone, pick } from './voice.ts';

/** "Thursday, 26 November, 8:03 pm". */
const spokenMoment = ({ now, timeZone }: Moment) =>
  [
    new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(
      now,
    ),
    new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone })
      .format(now)
      .replace(/\s([AP])M$/, (_, half: string) => ` ${half.toLowerCase()}m`),
  ].join(', ');

export const smallTalk = {
  welcome(voice, topics) {
    const { agentName, companyName } = voice;
    const help =
      topics.length > 0
        ? `I can help with ${listed(topics)}.`
        : 'I can answer questions about our company and services.';
    return pick(voice, [
      {
        formal: `Good day, this is ${agentName} from ${companyName}. ${help} How may I help you?`,
        friendly: `Hello, this is ${agentName} from ${companyName}. ${help} What can I do for you?`,
        playful: `Hi there! ${agentName} from ${companyName} here. ${help} What's on your mind?`,
        plain: `Hello, this is ${agentName} from ${companyName}. ${help} How can I help you?`,
      }[voice.persona.tone],
    ]);
  },

  greeting: (voice) =>
    byTone(voice, {
      formal: ['Good day. How may I help you?', 'Hello. What may I do for you?'],
      friendly: ['Hello! What can I do for you?', 'Hi! How can I help you today?'],
      playful: ['Hey there! What can I do for you?', "Hi again! What's on your mind?"],
      plain: ['Hello. How can I help you?', 'Hi. What can I help you with?'],
    }),

  oneMoment: (voice) =>
    byTone(voice, {
      formal: ['One moment, please.'],
      friendly: ['One moment, let me look that up.'],
      playful: ['Hang on a second, let me look.'],
      plain: ['One moment, please.'],
    }),

  thanks: (voice) =>
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
    }),

  goodbye: (voice) =>
    byTone(voice, {
      formal: [`Thank you for contacting ${voice.companyName}. Goodbye.`],
      friendly: [`Thank you for contacting ${voice.companyName}. Take care, goodbye!`],
      playful: [`Thanks for chatting with ${voice.companyName}. Bye for now, and have a great day!`],
      plain: [`Thank you for contacting ${voice.companyName}. Goodbye!`],
    }),

  howAreYou: (voice) =>
    byTone(voice, {
      formal: ['I am well, thank you for asking. How may I help you?'],
      friendly: ["I'm doing well, thanks for asking! How can I help you today?"],
      playful: ["I'm great, thanks for asking! What can I do for you today?"],
      plain: ["I'm well, thank you. How can I help you?"],
    }),

  languages: (voice) =>
    pick(voice, [
      "I'm sorry, I only speak English. I can have a colleague get back to you, if you like.",
      'English only, I am afraid. Shall a colleague get back to you?',
    ]),

  hearYou: (voice) => pick(voice, ['Yes, I can hear you. Go ahead.', "I'm here, and I hear you. Go ahead."]),

  wrongNumber: (voice) => `No harm done. This is ${voice.companyName}. Goodbye!`,

  whyContact: (voice) =>
    pick(voice, [
      'So that a colleague can get back to you about this, and for nothing else.',
      'Only for a colleague to reach you about this. You need not leave it.',
    ]),

  time: (voice, moment) => `It's ${spokenMoment(moment)} at ${voice.companyName}.`,

  openNow: (moment, isOpen, hours) => [
    isOpen === null
      ? `It's ${spokenMoment(moment)}.`
      : isOpen.isOpen
        ? `Yes, we're open now${isOpen.closes ? `, until ${isOpen.closes}` : ''}.`
        : `No, we're closed at the moment.`,
    ...(isOpen?.isOpen ? [] : hours),
    ...(isOpen === null && hours.length === 0
      ? ["I don't have the opening hours, but a colleague can tell you."]
      : []),
  ],

  weather: (voice) =>
    pick(voice, [
      "I can't see the weather from here, I'm afraid. What can I do for you?",
      "I don't get to see the weather in here. How can I help you?",
    ]),

  neverMind: (voice) =>
    pick(voice, ['No problem. Is there anything else?', 'All right. What else can I do?']),

  whoAreYou: (voice) =>
    pick(voice, [
      `I'm ${voice.agentName}, the automated assistant of ${voice.companyName}. How can I help you?`,
    ]),

  areYouHuman: (voice) =>
    pick(voice, [
      `I'm ${voice.agentName}, an automated assistant and not a person. I answer from what ${voice.companyName} has told me, and a human colleague can take over if you prefer.`,
    ]),

  whatCanYouDo: (voice, topics) =>
    pick(voice, [
      topics.length > 0
        ? `I can answer questions about ${listed(topics)} at ${voice.companyName}. What would you like to know?`
        : `I can answer questions about ${voice.companyName} and its services. What would you like to know?`,
    ]),

  acknowledged: (voice) =>
    byTone(voice, {
      formal: ['Very well. Is there anything else I may help you with?'],
      friendly: ['Great! Is there anything else I can help with?', 'Alright! What else can I do for you?'],
      playful: ['Great! Anything else on your mind?'],
      plain: ['Alright. Is there anything else I can help with?', 'Okay. What else can I help you with?'],
    }),

  anythingElse: (voice) =>
    pick(voice, ['Is there anything else I can help with?', 'Can I help you with anything else?']),

  denied: (voice) =>
    pick(voice, [
      'Alright. If anything else comes up, just ask.',
      "No problem. I'm here if you need anything else.",
    ]),

  misunderstood: (voice) =>
    byTone(voice, {
      formal: ['I apologise for the misunderstanding. Could you put it in other words, please?'],
      plain: [
        'Sorry, I got that wrong. What would you like to know?',
        'Sorry about that. Could you put it in other words?',
      ],
    }),

  takeYourTime: (voice) =>
    byTone(voice, {
      formal: ['Of course, please take your time.'],
      plain: ["Okay, I'm listening.", 'Sure, take your time.'],
    }),

  stillThere: () => 'Are you still there?',

  compliment: (voice) =>
    byTone(voice, {
      formal: ['Thank you, that is very kind of you. Is there anything else I may help you with?'],
      plain: ["Thank you, that's kind of you. Is there anything else I can help with?"],
    }),

  abuse: (voice) =>
    pick(voice, [
      "I'm sorry that this has been so annoying. Tell me what went wrong and I'll do my best, or I can have a colleague get back to you.",
      "I can hear that you're upset, and I'd like to help. What can I look up for you, or shall a colleague get back to you?",
    ]),

  outside: (voice) =>
    pick(voice, [
      `That's outside what I can help with here. I can answer questions about ${voice.companyName}, though.`,
      `I can only help with questions about ${voice.companyName}. Is there anything about that you would like to know?`,
    ]),

  empathy: (voice, mood) =>
    mood === 'sorry-customer'
      ? pick(voice, ['No need to apologise.', "That's no problem at all."])
      : mood === 'broken'
        ? pick(voice, ["I'm sorry to hear that.", "Oh, I'm sorry about that."])
        : pick(voice, [
            "I'm sorry for the trouble.",
            'I understand how frustrating that is.',
            "I'm sorry this has been so difficult.",
          ]),
} satisfies Partial<Wording>;
