import type { Sentiment } from '#shared/conversations';
import type { Random } from './random.ts';

interface Line {
  role: 'user' | 'assistant';
  content: string;
  /** Sentiment of the customer's message; null: none. */
  sentiment: Sentiment | null;
  citation: string | null;
}

export interface SeededAgent {
  name: string;
  companyName: string;
  personality: string;
  companyInfo: string;
  welcome: string;
}

/** The companies that customers call. The first place is for the demo agent. */
export const seededAgents: readonly [SeededAgent, ...SeededAgent[]] = [
  {
    name: 'Mia',
    companyName: 'Contoso Bikes',
    personality: 'Friendly and brief.',
    companyInfo:
      '# Opening hours\nWe are open from Monday to Saturday, 9 am to 6 pm.\n\n# Service\nA service takes two working days and costs $89.',
    welcome: 'Hi, this is Mia from Contoso Bikes. How can I help you today?',
  },
  {
    name: 'Jonas',
    companyName: 'Fabrikam Energy',
    personality: 'Calm, precise, patient.',
    companyInfo:
      '# Tariffs\nThe green tariff costs 31 cents a kilowatt hour.\n\n# Moving\nTell us two weeks before you move.',
    welcome: 'Fabrikam Energy, Jonas speaking. What can I do for you?',
  },
  {
    name: 'Elena',
    companyName: 'Northwind Travel',
    personality: 'Warm and quick.',
    companyInfo:
      '# Changes\nA booking can be changed until 48 hours before departure for $40.\n\n# Luggage\nOne bag of 23 kg is included.',
    welcome: 'Welcome to Northwind Travel, I am Elena. Where may I take you today?',
  },
];

/** A conversation of `count` lines: the welcome, then customer and agent in turn. */
export function talk(
  random: Random,
  welcome: string,
  count: number,
): { lines: Line[]; sentiment: Sentiment } {
  const sentiment = random.weighted({ positive: 32, neutral: 41, negative: 20, urgent: 7 });
  const say = slots(random);
  const topic = random.pick(topics);
  const lines: Line[] = [{ role: 'assistant', content: welcome, sentiment: null, citation: null }];
  for (let turn = 0; lines.length < count; turn++) {
    const last = lines.length + 2 >= count;
    const mood = last || (sentiment === 'urgent' && turn === 1) ? sentiment : 'neutral';
    const [asked, answered, quoted] = turn === 0 ? topic : random.pick(exchanges);
    const content = turn > 0 && mood !== 'neutral' ? random.pick(moods[mood]) : random.pick(asked);
    lines.push({
      role: 'user',
      content: say(content),
      sentiment: turn === 0 ? 'neutral' : mood,
      citation: null,
    });
    if (lines.length >= count) break;
    lines.push({
      role: 'assistant',
      content: turn > 0 && mood !== 'neutral' ? say(random.pick(consolations[mood])) : say(answered),
      sentiment: null,
      citation: turn === 0 || mood === 'neutral' ? quoted : null,
    });
  }
  return { lines, sentiment: lines.some((line) => line.sentiment === sentiment) ? sentiment : 'neutral' };
}

/** Fills {names} in, with the same value throughout a conversation. */
function slots(random: Random): (text: string) => string {
  const chosen = new Map<string, string>();
  const make: Record<string, () => string> = {
    order: () => `BW-${100_000 + random.below(900_000)}`,
    amount: () => `$${5 + random.below(400)}.${10 + random.below(90)}`,
    item: () => random.pick(items),
    colour: () => random.pick(colours),
    city: () => random.pick(cities),
    day: () => random.pick(days),
    number: () => String(2 + random.below(11)),
    name: () => random.pick(names),
  };
  return (text) =>
    text.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      const known = chosen.get(name) ?? make[name]?.() ?? name;
      chosen.set(name, known);
      return known;
    });
}

type Exchange = readonly [asked: readonly [string, ...string[]], answered: string, quoted: string | null];

/** Reasons for calls; the customer's first message. */
const topics: readonly [Exchange, ...Exchange[]] = [
  [
    [
      'I want to return the {item} I bought last week, order {order}.',
      'How do I send back a {item} that does not fit?',
      'Can I return a {colour} {item} without the box?',
    ],
    'You can return it within 45 days, also without its box. I can send a return label for order {order} to your address.',
    'Items can be returned within 45 days of delivery.',
  ],
  [
    [
      'Where is my order {order}? It was supposed to arrive on {day}.',
      'My parcel with the {item} has not arrived in {city} yet.',
      'The tracking of {order} has not moved since {day}.',
    ],
    'Order {order} left our warehouse and is on its way to {city}. Standard delivery takes 3 to 5 business days.',
    'Standard delivery takes 3 to 5 business days.',
  ],
  [
    [
      'I have been charged twice for order {order}, {amount} each time.',
      'There is a payment of {amount} on my card that I do not recognise.',
      'Why does my invoice say {amount}?',
    ],
    'I see one payment of {amount} and one reservation, which your bank releases within three working days.',
    'Reservations are released within three working days.',
  ],
  [
    [
      'What are your opening hours on {day}?',
      'Are you open on {day} in {city}?',
      'When does the store in {city} close?',
    ],
    'Our store in {city} is open from 9 am to 6 pm, also on {day}.',
    'We are open from Monday to Saturday, 9 am to 6 pm.',
  ],
  [
    [
      'I need to reset my password.',
      'I cannot sign in to my account any more.',
      'The reset email never arrives.',
    ],
    'Choose "Forgot password" on the sign-in page; the email comes within five minutes. Please look into the spam folder too.',
    'The reset link is valid for one hour.',
  ],
  [
    [
      'I would like to book a service for my {item} on {day}.',
      'Can I move my appointment from {day} to another day?',
      'Do you have a free appointment in {city} this week?',
    ],
    'There is a free appointment on {day} at {number} in {city}. Shall I book it for you?',
    'Appointments can be moved free of charge until the day before.',
  ],
  [
    [
      'How much does express shipping to {city} cost?',
      'Do you ship to {city}?',
      'Can I get the {item} by {day}?',
    ],
    'Express shipping to {city} costs {amount} and takes one business day.',
    'Express orders placed before noon leave the same day.',
  ],
  [
    [
      'The {item} I received is broken.',
      'The screen of my {item} flickers.',
      'My {item} stopped working after {number} days.',
    ],
    'I am sorry to hear that. The warranty covers it for two years; we repair or replace your {item}.',
    'The warranty covers defects for two years.',
  ],
  [
    [
      'I want to cancel my contract at the end of the month.',
      'How do I cancel order {order}?',
      'Please stop my subscription.',
    ],
    'I can cancel it for you. Orders that have not left the warehouse are cancelled at once, contracts end with the month.',
    'Contracts can be cancelled at the end of each month.',
  ],
  [
    [
      'Which payment methods do you accept?',
      'Can I pay by invoice?',
      'Can I pay the {amount} in {number} parts?',
    ],
    'We accept cards, bank transfer, invoice and payment in up to twelve parts.',
    'We accept cards, bank transfer and invoice.',
  ],
  [
    ['I moved from {city} and need to change my address.', 'Please update my delivery address for {order}.'],
    'The new address is saved. It counts for every order that has not left the warehouse.',
    null,
  ],
  [
    [
      'Is the {colour} {item} in stock?',
      'Do you have the {item} in {colour}?',
      'When will the {item} be available again?',
    ],
    'The {colour} {item} is in stock in {city}; {number} pieces are left.',
    null,
  ],
];

const exchanges: readonly [Exchange, ...Exchange[]] = [
  [['The order number is {order}.', 'It is {order}.'], 'Thank you, I have found order {order}.', null],
  [
    ['How long will that take?', 'And how long do I have to wait?'],
    'It usually takes {number} working days.',
    null,
  ],
  [['Do I have to pay for it?', 'What does that cost me?'], 'No, that is free of charge for you.', null],
  [
    ['Can you send me a confirmation by email?', 'Please send it to me in writing.'],
    'I have just sent a confirmation to the address of your account.',
    null,
  ],
  [
    ['My name is {name}.', '{name} is the name on the account.'],
    'Thank you, {name}. I see your account now.',
    null,
  ],
  [
    ['Could I pick it up in {city} instead?', 'I will be in {city} on {day}.'],
    'Yes, you can pick it up at our store in {city} from {day} on.',
    'Orders can be collected free of charge.',
  ],
  [
    ['Is there a discount for students?', 'Do you have a voucher for me?'],
    'Students save ten percent with a valid card.',
    'Students save ten percent.',
  ],
  [
    ['And what happens if nobody is at home?', 'Can the neighbour take it?'],
    'Then the driver leaves it with a neighbour or at the nearest parcel shop.',
    null,
  ],
  [
    ['Could you explain that again, please?', 'I did not understand that.'],
    'Of course: you keep the receipt, we send the label, and the money comes back to the same card.',
    null,
  ],
  [
    ['I also have a question about the {item}.', 'One more thing about the {item}.'],
    'Please go ahead, what would you like to know about the {item}?',
    null,
  ],
  [
    ['What is the difference between the two models?', 'Which one do you recommend?'],
    'The larger one lasts twice as long; for most people the smaller one is enough.',
    null,
  ],
  [
    ['Does it come with a warranty?', 'How long is the warranty?'],
    'Yes, two years on every {item}.',
    'The warranty covers defects for two years.',
  ],
  [
    ['Can I change it later?', 'What if I change my mind?'],
    'You can change it until it leaves our warehouse.',
    null,
  ],
  [['Okay.', 'Alright, go on.', 'Yes please.'], 'Good. Is there anything else I can do for you?', null],
  [
    ['Which documents do you need from me?', 'Do you need the receipt?'],
    'The receipt or the order number is enough.',
    null,
  ],
  [
    ['I used the app on my phone.', 'I tried it on the website first.'],
    'Thank you, that helps us to find the cause.',
    null,
  ],
];

const moods: Record<Exclude<Sentiment, 'neutral'>, readonly [string, ...string[]]> = {
  positive: [
    'Perfect, thank you so much for your help!',
    'Great, that was easier than I thought.',
    'Wonderful service, I really appreciate it.',
    'Thanks a lot, you made my day.',
    'That is exactly what I needed, thank you!',
  ],
  negative: [
    'This is really disappointing, I expected more from you.',
    'I have been waiting for {number} days and nobody answers. That is not acceptable.',
    'Honestly, this is the worst service I have had in {city}.',
    'So I paid {amount} for nothing? I am quite annoyed.',
    'I am not happy with that answer at all.',
  ],
  urgent: [
    'Somebody is using my stolen card right now, please block it!',
    'The {item} is smoking and smells of fire, what should I do?',
    'I am locked out and my flight from {city} leaves in an hour.',
    'If this is not solved today my lawyer will write to you.',
    'Our whole shop in {city} stands still because of this.',
  ],
};

const consolations: Record<Exclude<Sentiment, 'neutral'>, readonly [string, ...string[]]> = {
  positive: ['You are very welcome!', 'My pleasure. Have a lovely {day}!'],
  negative: [
    'I am sorry about that. I will pass it on to a colleague who calls you back on {day}.',
    'I understand, and I apologise. Let me see what I can do about the {amount}.',
  ],
  urgent: [
    'I am connecting you with a colleague right now, please stay on the line.',
    'Please keep away from it and unplug it if that is safe. A colleague calls you at once.',
  ],
};

const items: readonly [string, ...string[]] = [
  'kettle',
  'speaker',
  'toaster',
  'lamp',
  'heater',
  'camera',
  'blender',
  'printer',
  'bicycle',
  'helmet',
  'backpack',
  'headphones',
  'keyboard',
  'monitor',
  'router',
  'vacuum cleaner',
  'coffee machine',
  'tent',
  'suitcase',
  'jacket',
];
const colours: readonly [string, ...string[]] = [
  'black',
  'silver',
  'white',
  'green',
  'yellow',
  'purple',
  'orange',
  'red',
  'blue',
];
const cities: readonly [string, ...string[]] = [
  'Berlin',
  'Lisbon',
  'Vienna',
  'Oslo',
  'Madrid',
  'Dublin',
  'Prague',
  'Zürich',
  'Kraków',
  'Málaga',
  'Austin',
  'Denver',
  'Toronto',
  'Boston',
  'Seattle',
  'Leeds',
  'Lyon',
  'Turin',
  'Ghent',
  'Aarhus',
];
const days: readonly [string, ...string[]] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];
const names: readonly [string, ...string[]] = [
  'Anna Weber',
  'Boris Novak',
  'Clara Jensen',
  'David Okafor',
  'Elif Yılmaz',
  'Felix Dubois',
  'Greta Lind',
  'Hiro Tanaka',
  'Irene Costa',
  'Jonas Meyer',
  'Karin Olsen',
  'Luis García',
  'Mónica Ruiz',
  'Nadia Haddad',
  'Omar Farouk',
  'Petra Král',
];
