import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { LONGEST_WAIT_MS } from './contract.ts';
import { endpoint as endpointOf } from './endpointing.ts';

const { turnTaking: english } = packOf('en');
const endpoint = (text: string, { agentSaid = '', patienceMs = 0 } = {}) =>
  endpointOf(text, english, { expects: english.expectedAnswer(agentSaid), patienceMs });

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Written as recognition does: with a full stop at every pause, whether or not a sentence ends. */
const finished = lines(`
  Where is my order?
  What are your opening hours?
  Can you tell me where my package is?
  How much is the premium plan?
  What time do you close today?
  Do you ship to Canada?
  Is it waterproof?
  What is it for?
  Who am I talking to?
  What are you looking for?
  Where is it coming from?
  Which account is it linked to?
  What's going on?
  How do I log in?
  Where do I sign up?
  What should I do?
  What do I need?
  How does it work?
  How are you?
  Who is it?
  What was that?
  Can you help me?
  Could you send me the invoice?
  Would you mind calling me back?
  Is that possible?
  When will it arrive?
  When does my contract end?
  Since when is that so?
  Why not?
  Can I still cancel it?
  Do you have it in blue?
  Is there anything else I can do?
  Are you a robot?
  Are you still there?
  Does it come with a charger?
  Can I return it after thirty days?
  Which one is better?
  How long will it take?
  What happens next?
  Could I speak to a manager?
  I would like to return my jacket.
  I want to cancel my subscription.
  I want to cancel it.
  I need to change my delivery address.
  My package has not arrived yet.
  My order hasn't arrived.
  It doesn't work.
  It stopped working.
  The screen is broken.
  The app keeps crashing.
  I can't log in.
  I forgot my password.
  I was charged twice.
  I already paid.
  I have already tried that.
  I don't know.
  I don't have it.
  I already did it.
  How do I do it?
  Can you do it?
  I don't know what to do.
  I have no idea.
  I never got an email.
  It arrived this morning.
  I want my money back.
  Please send it back.
  Please turn it off.
  I can't figure it out.
  I'd like to check in.
  It won't turn on.
  I'd like to speak to a human.
  I think so.
  I hope so.
  I don't think so.
  That's what I thought.
  That's what I need.
  That is the one I want.
  You can keep it.
  Cancel my order, please.
  Tell me more about it.
  Let me know.
  Please call me back.
  Never mind.
  That's fine with me.
  That's not what I ordered.
  The jacket I bought is too small.
  The order that I placed is missing.
  If I return the jacket, do I get a refund?
  If it is broken, I want a new one.
  When I log in it says error.
  Because it is too small, I want to return it.
  Yes, please.
  Yes, that's right.
  Yes, I do.
  No, I don't.
  No, thank you.
  No, it isn't.
  Yeah, that would be great.
  Thank you.
  Thanks a lot.
  Thank you very much, bye.
  That's all.
  Goodbye.
  I appreciate your help.
  Hi, I want to return my shoes.
  Good morning, can I change my booking?
  Okay, and how long does it take?
  I understand, but I still want a refund.
  I'm not happy with it.
  I'm waiting for my refund.
  I have been waiting for two weeks.
  It's been a while.
  It has never happened before.
  I'd rather not.
  It's too expensive.
  It makes a strange noise.
  We are very disappointed.
  It is for my mother.
  He told me to call you.
  She said it was free.
  They said they would call me.
  I want to buy a gift for my wife.
  My card was declined.
  You sent me the wrong size.
  I received the wrong item.
  I would like a refund.
  I need a receipt.
  I need some help with my bill.
  There's a problem with my account.
  Something is wrong with my phone.
  Nobody answers the phone.
  I just want to know when it comes.
  I need to know how much it costs.
  Do you know how I can reset it?
  It says that my password is wrong.
  Please give me a discount.
  It costs fifty dollars.
  Could you repeat that?
  What did you say?
  Sorry, I didn't hear you.
  I can't hear you.
  You are wrong.
  I do not agree.
  I want the blue one.
  Next Friday would be good.
  Tomorrow at ten.
  I need two shirts and a belt.
  I want a shirt, a tie, and a belt.
  The jacket arrived on the fifth of May.
  My flight was cancelled and nobody told me why.
  I hope not.
`);

const unfinished = lines(`
  I would like to return the.
  I would like to return thee.
  I would like to return a.
  I want to return my.
  I'd like to.
  I want to.
  I need to.
  I would like.
  I'd like to return.
  I want to buy.
  I need.
  I want.
  Can you send.
  Could you please.
  Can you.
  Could I.
  Do you.
  Would it.
  Is it.
  I'm.
  It's.
  And.
  And then.
  But.
  But the.
  So.
  Or.
  Because.
  I want to return it because.
  I want to return it because it.
  It was too small, so.
  I ordered it but.
  I ordered a lamp and.
  I ordered a lamp and a.
  I want to know if.
  I want to know whether.
  I would like to know.
  I was wondering.
  I was wondering if you.
  I was wondering whether.
  My order number is.
  My name is.
  My email address is.
  The problem is.
  The problem is that.
  The thing is.
  My question is.
  What I want is.
  The reason I'm calling is.
  I'm calling about.
  I'm calling because.
  I'm calling to.
  I'm looking for.
  I'm looking for a.
  I'm trying to.
  I am trying.
  I'm having trouble with.
  I have a question about.
  I have a question about your.
  I have a problem with my.
  Can you tell me.
  Can you tell me when.
  Can you tell me about the?
  Could you help me with?
  How do I?
  How much does it cost to?
  What is the price of?
  What is the fee for?
  What's the difference between?
  What about?
  Is it possible to?
  Is there a?
  Do you have any?
  Do you have a?
  Are there?
  Where can I?
  Where can I find?
  Where can I find the?
  When will my?
  Does the warranty cover?
  Does it?
  Why is my?
  I bought it from.
  I bought it at.
  I bought it in.
  I bought.
  I ordered.
  I have ordered.
  I received.
  I got.
  I got a.
  I just.
  I also.
  I actually.
  I really.
  I was.
  I am.
  I have.
  I've been.
  I was told that.
  I think that.
  I think.
  I guess.
  I mean.
  You know.
  Let me see.
  Let me check.
  Let me think.
  Hold on.
  One moment please.
  Give me a second.
  Um.
  Uh.
  I would like to um.
  My order uh.
  Well.
  Okay, so.
  Yes, but.
  Yes, and.
  No, because.
  If I.
  If I return the jacket.
  If I cancel my subscription today.
  When I try to log in.
  When I opened the box.
  After I updated the app.
  Since I moved to Boston.
  Although it was delivered.
  As soon as I click on the button.
  Every time I try to pay.
  The delivery was supposed to.
  The delivery was.
  The delivery was supposed to come on.
  It stopped working after.
  It was.
  It was very.
  It was too.
  Your colleague said.
  Your colleague told me.
  They told me that I.
  They said they.
  He said that.
  I want to speak to.
  I want to speak with the.
  I paid for.
  I paid with.
  I want a different.
  I need a new.
  I have another.
  My last.
  The first.
  I want to order two.
  It's the.
  It has.
  It doesn't.
  But it doesn't.
  I don't.
  I can't.
  We bought it and we.
  And I.
  And it.
  That I.
  Which is.
  Who is.
  In.
  On.
  With.
  For.
  As well as.
  Instead of.
  According to.
  Due to.
  I would rather.
  I'd prefer.
  I prefer.
  I'm interested in.
  I'm worried about.
  I'm not sure if.
  I don't know if.
  I wonder if.
  Do you know if?
  Do you know where?
  Can I use my gift card and?
  I want one of the.
  I want some of.
  There is.
  There's.
  There is a.
  Here's my.
  My account is.
  My account was.
  My phone won't.
  The package should.
  The package that I.
  I will.
  I'll.
  Please.
  Please send.
  Please send me.
  Please send it to.
  Send it to my.
  It's about.
  It's about the.
  And also.
  Also.
  First of all.
  By the way.
  Actually.
  I would like to change the address on my.
  I would like to upgrade.
  I need to replace.
  We are going to.
  I am going.
  Is that.
  What if.
  Even if.
  The more.
  How long does.
  How many.
  What kind of.
  Which.
  What is.
  What is your.
  Where is.
  Where is my.
  Ask not.
  Is there any way?
  Last time I called.
  The day we moved in.
`);

describe('endpointing', () => {
  test.each(finished)('takes "%s" after a short silence', (text) => {
    expect(endpoint(text).waitMs).toBeLessThanOrEqual(text.endsWith('?') ? 350 : 650);
  });

  test.each([
    'I want to cancel my subscription.',
    'I would like to return my jacket.',
    'Please send it back.',
    'Cancel my order, please.',
    'Okay, thank you for the information.',
    'Send me the invoice again.',
  ])('takes the request "%s" nearly as soon as a question', (text) => {
    expect(endpoint(text)).toMatchObject({ ending: 'request' });
  });

  test.each([
    'I bought it last week.',
    'Hi, I ordered a lamp on Monday.',
    'I paid with my credit card.',
    'We have just moved to a new apartment.',
    'I have an account with you.',
    'I saw it on your website.',
    'I live in Boston.',
    "I'm looking for a present.",
    "I'm calling about my last invoice.",
    'We are arriving on Friday.',
    'The name on the booking is Robert Harrison.',
  ])('waits for what somebody wants to say with "%s"', (text) => {
    expect(endpoint(text)).toEqual({ waitMs: 1_000, ending: 'open-ended' });
  });

  test.each([
    ['I bought a lamp and it does not work.', 600],
    ['I ordered the black one, but got the white one.', 600],
    ['I received the wrong item.', 600],
    ['The lamp is broken. I bought it last week.', 600],
  ])('and no longer than that where it is said: "%s"', (text, waitMs) => {
    expect(endpoint(text).waitMs).toBe(waitMs);
  });

  test('what happened before is an answer where it was asked for', () => {
    const asked = { agentSaid: 'When did you buy it?' };
    expect(endpoint('I bought it last week.', asked).waitMs).toBeLessThanOrEqual(350);
    expect(endpoint('I think I bought it in the first week of May.', asked).waitMs).toBeLessThanOrEqual(700);
  });

  test('a beginning without a verb is waited for', () => {
    expect(endpoint('And so my fellow citizens.').waitMs).toBeGreaterThanOrEqual(1_000);
  });

  test.each(unfinished)('waits on after "%s"', (text) => {
    expect(endpoint(text).waitMs).toBeGreaterThanOrEqual(700);
  });

  test.each([
    'My order number is four seven two.',
    'Four seven two nine.',
    "It's A, B, seven.",
    'My email is john dot smith at.',
    'My email is john.smith@gmail.',
    'My phone number is 555 0142.',
    'The reference is B7.',
  ])('waits while something is spelled: "%s"', (text) => {
    expect(endpoint(text)).toEqual({ waitMs: 1_700, ending: 'spelling' });
  });

  test.each([
    'My email is john.smith@gmail.com.',
    'john dot smith at gmail dot com',
    'My phone number is 555 014 2983.',
    'My zip code is 02139.',
  ])('takes what is spelled to its end: "%s"', (text) => {
    expect(endpoint(text).waitMs).toBeLessThanOrEqual(400);
  });

  test.each([
    'I need two shirts, a belt.',
    'I need three things.',
    'I want to order a lamp, and two chairs,',
  ])('waits for the rest of a list: "%s"', (text) => {
    expect(endpoint(text).waitMs).toBeGreaterThanOrEqual(1_000);
  });

  test.each(['Hi.', 'Hello.', 'Yes.', 'I have a question.', 'Excuse me.'])(
    'gives "%s" time to go on, and not long',
    (text) => {
      const { waitMs } = endpoint(text);
      expect(waitMs).toBeGreaterThanOrEqual(600);
      expect(waitMs).toBeLessThanOrEqual(1_000);
    },
  );

  test.each(['Yes.', 'No.', 'Yes, please.', 'It is.', 'I do.', 'Not really.', 'Okay.'])(
    'takes "%s" at once after a question for yes or no',
    (text) => {
      expect(endpoint(text, { agentSaid: 'Your order is late. Shall I cancel it?' }).ending).toBe(
        'complete-answer',
      );
    },
  );

  test('waits for a number it was asked for, and takes "I don\'t have it" at once', () => {
    const hints = { agentSaid: 'Could you give me your order number, please?' };
    expect(endpoint('It is 4729.', hints).ending).toBe('spelling');
    expect(endpoint("I don't have it.", hints).waitMs).toBeLessThanOrEqual(400);
  });

  test('gives somebody who was cut off more time, within bounds', () => {
    const patient = endpoint('Where is my order?', { patienceMs: 200 });
    expect(patient.waitMs).toBe(endpoint('Where is my order?').waitMs + 200);
    expect(endpoint('My order number is', { patienceMs: 5_000 }).waitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS);
  });

  test('a text without words is waited for', () => {
    expect(endpoint('').waitMs).toBe(LONGEST_WAIT_MS);
    expect(english.isUnfinished('...')).toBe(true);
  });
});
