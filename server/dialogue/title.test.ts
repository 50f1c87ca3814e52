import { expect, test } from 'vitest';
import { makeTitle } from './title.ts';

test.each([
  ['I want a refund for my damaged headphones', 'Refund For Damaged Headphones'],
  ['hello, I would like to cancel my order', 'Request To Cancel Order'],
  ['What are your opening hours?', 'Question About Opening Hours'],
  ['Can I return shoes without a receipt?', 'Return Shoes Without Receipt'],
  ['Where is my order BW-781519? It was due on Friday.', 'Status Of Order BW-781519'],
  ['What is your return policy?', 'Question About Return Policy'],
  ['I have been charged twice for order BW-27, $38.95 each time.', 'Charged Twice For Order BW-27'],
  ['I cannot sign in to my account any more.', 'Cannot Sign In To Account'],
  ['I moved from Seattle and need to change my address.', 'Moved From Seattle'],
  ['Can I move my appointment from Monday to another day?', 'Move Appointment From Monday'],
  ['Somebody is using my stolen card right now, please block it!', 'Somebody Using Stolen Card'],
  ['can u help me my internet is not working', 'Internet Not Working'],
  ['Hello, my name is Anna and I have a problem with my last bill.', 'Problem With Last Bill'],
  ['My account was hacked', 'Help: Account Hacked'],
  ['I want to know if my refund has been processed', 'Question About Refund Processed'],
  ['Hola, quiero devolver un producto', 'Hola Quiero Devolver Un Producto'],
  ['私の注文はどこですか', '私の注文はどこですか'],
])('%s → %s', (message, title) => {
  expect(makeTitle([message])).toBe(title);
});

test('it has three to six words in title case', () => {
  for (const message of [
    'refund?',
    'my package has not arrived although the tracking says that it was delivered three days ago',
    'How long do refunds take?',
    'Do you ship to Canada, and what does it cost?',
    'cancel',
    'I have been charged twice for order BW12345678!!',
  ]) {
    const title = makeTitle([message]) ?? '';
    expect(title.split(' ').length, title).toBeGreaterThanOrEqual(3);
    expect(title.split(' ').length, title).toBeLessThanOrEqual(6);
    for (const word of title.split(' ')) expect(word.charAt(0), title).toBe(word.charAt(0).toUpperCase());
  }
});

test('greetings and small talk give none; the first wish decides', () => {
  expect(makeTitle([])).toBeNull();
  expect(makeTitle(['hi', 'how are you?', 'thanks'])).toBeNull();
  expect(makeTitle(['hi', 'I need to reset my password'])).toBe('Request To Reset Password');
});
