import { describe, expect, test } from 'vitest';
import { makeTitle } from './title.ts';

describe('what was answered gives the title', () => {
  test.each([
    ['how to change your password', 'How To Change Your Password'],
    ['late pick-up', 'Late Pick-Up Question'],
    ['delivery', 'Question About Delivery'],
    ['VAT', 'Question About VAT'],
    ['whether you can park your bike', 'Whether You Can Park Your Bike'],
    ['where your order is', 'Question About Order'],
    ['how to change the delivery address of your order', 'How To Change The Delivery Address'],
    ['how to get a refund for a cancelled booking', 'How To Get A Refund'],
    ['how to add or remove a delivery address', 'Delivery Address Question'],
    ['what you need to bring to your first appointment', 'What You Need To Bring'],
    ['returns and refunds', 'Returns And Refunds'],
    ['terms of service', 'Terms Of Service'],
  ])('%s → %s', (topic, title) => {
    expect(makeTitle(['and then?'], [topic])).toBe(title);
  });

  test('the last one that names anything', () => {
    expect(makeTitle(['hi'], ['opening hours', 'late pick-up', 'who we are', ''])).toBe(
      'Late Pick-Up Question',
    );
    expect(makeTitle(['I lost my umbrella'], ['the'])).toBe('Problem With Umbrella');
  });
});

describe('else the customer’s words', () => {
  test.each([
    ['I want a refund for my damaged headphones', 'Refund For Damaged Headphones'],
    ['hello, I would like to cancel my order', 'Request To Cancel Order'],
    ['What are your opening hours?', 'Opening Hours Question'],
    ['Can I return shoes without a receipt?', 'Return Shoes Without Receipt'],
    ['Where is my order BW-781519? It was due on Friday.', 'Status Of Order BW-781519'],
    ['I have been charged twice for order BW-27, $38.95 each time.', 'Problem With Order BW-27'],
    ['I cannot sign in to my account any more.', 'Problem With Account'],
    ['I moved from Seattle and need to change my address.', 'Request To Change Address'],
    ['Can I move my appointment from Monday to another day?', 'Move Appointment From Monday'],
    ['Somebody is using my stolen card right now, please block it!', 'Problem With Stolen Card'],
    ['can u help me my internet is not working', 'Problem With Internet'],
    ['Hello, my name is Anna and I have a problem with my last bill.', 'Problem With Last Bill'],
    ['I want to know if my refund has been processed', 'Question About Refund'],
    ['How much does the premium plan cost per month?', 'Price Of Premium Plan'],
    ['My daughter lost her membership card at the pool yesterday', 'Membership Card At Pool'],
    ['not a refund, just cancel', 'Request To Cancel'],
    ['Is the museum open on Mondays?', 'Museum Open On Mondays'],
    ['Can I have your address and phone number?', 'Address And Phone Number'],
    ['I need to add another driver', 'Add Another Driver'],
    ['Is there a charge for paper on my account?', 'Charge For Paper On Account'],
    ['Hola, quiero devolver un producto', 'Quiero Devolver Un Producto'],
    ['私の注文はどこですか', '私の注文はどこですか'],
  ])('%s → %s', (message, title) => {
    expect(makeTitle([message])).toBe(title);
  });
});

test('a wish for a colleague has its own', () => {
  expect(makeTitle(['hi', 'can I talk to a human?'])).toBe('Request For A Human Colleague');
});

test('nothing said gives none; the first wish decides', () => {
  for (const messages of [
    [],
    ['hi', 'how are you?', 'thanks'],
    ["it doesn't work"],
    ["I can't get in"],
    ['the thing is broken'],
    ['I have a question'],
    ['?!', '', '\u0000'],
  ])
    expect(makeTitle(messages), messages.join()).toBeNull();
  expect(makeTitle(['hi', "it doesn't work", 'I need to reset my password'])).toBe(
    'Request To Reset Password',
  );
});

const isolated =
  /^(?:a|an|the|my|your|our|of|for|with|to|and|or|in|on|at|from|by|is|are|was|it|i|you|we|not|that|this|but|than|as)$/i;

test.each([
  'refund?',
  'cancel',
  'my package has not arrived although the tracking says that it was delivered three days ago',
  'How long do refunds take?',
  'Do you ship to Canada, and what does it cost?',
  "Can't get the app to open",
  "my kettle doesn't work and I don't know what to do with it",
  'The parcel came late and the box was torn',
  'what time do you open on Sundays',
  'is there parking at the hotel',
  'I was wondering whether breakfast is included in the room price',
  'why was I charged a late fee',
  'someone backed into my car in the car park',
  'can my sister collect the prescription for me?',
  'hey so basically I ordered two lamps and only one of them turned up',
  'what happens if I miss my appointment?',
  'Do I need a passport for the ferry to Norway',
  'the screen of my iPhone is cracked',
  'Could you tell me about your warranty on the washing machines that you sell?',
  'how do I get my money back',
  'I want to complain about the driver',
  'is my data safe with you',
  'when will the technician arrive',
  'we are getting married in June and want to rent the barn',
  'nobody picks up the phone',
  'my son has a peanut allergy',
  'What documents do I need to bring for the visa interview?',
  'Are dogs allowed in the garden?',
  "What's the difference between the basic and the pro plan?",
  "The heating isn't coming on and the boiler shows a red light",
  'Which of the courses that you run in the evening are for beginners and do they cost more?',
  'I paid for the annual household contents insurance premium refund protection add on policy',
])('three to six words, nothing cut off: %s', (message) => {
  const title = makeTitle([message]) ?? '';
  const words = title.split(' ');
  expect(words.length, title).toBeGreaterThanOrEqual(3);
  expect(words.length, title).toBeLessThanOrEqual(6);
  expect(words[0], title).not.toMatch(isolated);
  expect(words.at(-1), title).not.toMatch(isolated);
  expect(title).not.toMatch(/n't\b|cannot/i);
  for (const word of words) expect(word, title).toMatch(/^(?:\P{Ll}|iPhone)/u);
});

test('hostile and long messages are read, too', () => {
  for (const message of ['a'.repeat(8_000), 'my '.repeat(2_000), '('.repeat(3_000), 'order '.repeat(1_000)]) {
    const title = makeTitle([message]);
    expect((title ?? '').split(' ').length).toBeLessThanOrEqual(6);
    expect((title ?? '').length).toBeLessThanOrEqual(250);
  }
});
