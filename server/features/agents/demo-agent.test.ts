import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialogueMessage, WholeReply } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import { demoAgent } from './demo-agent.ts';

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(demoAgent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

async function talk(...texts: string[]): Promise<WholeReply> {
  const history: DialogueMessage[] = [];
  let last: WholeReply | null = null;
  for (const text of texts) {
    for await (const event of dialogue.respond(
      { agent: demoAgent, history, text },
      new AbortController().signal,
    ))
      if (event.type === 'reply') last = event;
    const state: unknown = JSON.parse(JSON.stringify(last?.state ?? null));
    history.push({ role: 'user', content: text }, { role: 'assistant', content: last?.text ?? '', state });
  }
  if (!last) throw new Error('Nothing was said.');
  return last;
}

/** Judged by hand, from the view of a person who tries the product for the first time. */
describe('the demo answers', () => {
  test.each([
    // Questions that the page suggests.
    ['What are your opening hours?', /7 am to 8 pm|10 am to 8 pm/],
    ['How do I return an item?', /45 days|return label|My orders/],
    ['How long does delivery take?', /3 to 5 business days/],
    ['Which payment methods do you accept?', /PayPal/],
    // Other questions.
    ['How long is the warranty?', /^Every product has a 2-year warranty/],
    ["What's the warranty on the Tidal brand?", /5-year warranty/],
    ['Does the warranty cover batteries?', /does not cover wear parts such as batteries/],
    [
      'What does delivery to Canada cost?',
      /^For Canada, delivery costs \$24\.00\.(?: Customs duties and taxes .+)?$/,
    ],
    [
      'How long does standard delivery take?',
      /^For standard, continental US, delivery takes 3 to 5 business days\.$/,
    ],
    ['What does express delivery cost?', /\$14\.90/],
    ['Do you deliver to Hawaii?', /Hawaii, delivery costs \$19\.00/],
    ['Do you deliver to PO boxes?', /^We do not deliver to PO boxes/],
    ['Is delivery free?', /free from \$50/],
    ['When do I get my money back?', /within 5 business days/],
    ['How long can I return something?', /within 45 days/],
    ['How do I cancel my order?', /"My orders"/],
    ['How do I track my order?', /tracking link/],
    ['Do you match prices?', /^If a US retailer sells the same new product for less/],
    ['Can I pay by PayPal?', /PayPal/],
    ['Can I pay in instalments?', /4 interest-free installments/],
    ['My parcel arrived damaged.', /sorry.*within 48 hours, with photos/],
    ['Do you take my old fridge away?', /recycling is free/],
    ['What does it cost to connect a washing machine?', /\$39/],
    ['Is there a recall on kettles?', /K2/],
    ['Do gift cards expire?', /never expire/],
    ['How many points do I get?', /1 point per dollar/],
    ['Is there a student discount?', /no student discount/],
    ['Do teachers get a discount?', /10 %/],
    ['Can I bring my dog into the store?', /other pets are not allowed/],
    ['When is the Seattle store open on Sundays?', /^Seattle: .*Sunday 11 am to 6 pm\.?$/],
    ['Where is your Denver store?', /^Denver: 36 Juniper Square/],
    ["What's your phone number?", /1-503-555-0142/],
    ['What is your email address?', /care@brightwater\.example/],
    ['How do I change my email?', /"My account"/],
    ['How do I delete my account?', /privacy@brightwater\.example/],
    ['Who is your data protection officer?', /Dana Whitfield/],
    ['How much are the cooking classes?', /\$45/],
    ['How do I unsubscribe from the newsletter?', /unsubscribe link/],
    ['What does BrightCare cost?', /12 %/],
    ['How long does a repair take?', /7 to 10 business days/],
    ['What if the repair fails twice?', /a new product or your money back/],
    ['Can I pick up my order in a store?', /ready within 4 hours/],
    ['I forgot my password.', /"Forgot password"/],
    ['Can I order by phone?', /by phone or in any store/],
    ['How long do you keep spare parts?', /10 years/],
    ['My kettle smokes!', /switch it off/],
    [
      "I'm rambling, it's for my sister in Denver, so when is the Denver store open on Saturdays?",
      /^Denver: .*Saturday 10 am to 7 pm/,
    ],
    ['How much is delivery to Canada, no wait, Mexico?', /^For Mexico, delivery costs \$29\.00\.$/],
  ])('%s', async (question, expected) => {
    const { text } = await talk(question);
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/it says|I'm not sure I have/);
  });

  test.each([
    ['Are you human?', /automated assistant and not a person/],
    ['What is your name?', /Sigma/],
    ['Do you speak German?', /only speak English/],
    ['Can you hear me?', /./],
    ['Nice weather today!', /weather/],
    ['Put me through to somebody.', /colleague/],
  ])('whoever wonders who it is: %s', async (said, expected) => {
    expect((await talk(said)).text).toMatch(expected);
  });

  test.each([
    'Do you have a store in Paris?',
    'Are you hiring?',
    'Do you sell bicycles?',
    'How much is the Tidal blender?',
  ])('what the text does not hold is not answered: %s', async (question) => {
    expect((await talk(question)).outcome).toMatch(/^(?:declined|offered|asked-back)$/);
  });

  test('a correction is of the question before', async () => {
    const first = 'How much is delivery to Canada?';
    expect((await talk(first, 'No, not Canada, Mexico.')).text).toContain('$29.00');
    expect((await talk(first, 'No, not Canada, Mexico.', 'And how long does that take?')).text).toBe(
      'For Mexico, delivery takes 8 to 12 business days.',
    );
  });

  test('who asks for more hears more, and nothing twice', async () => {
    const first = await talk('How long is the warranty?');
    const more = await talk('How long is the warranty?', 'Tell me more.');
    expect(more.outcome).toBe('answered');
    expect(first.text).not.toContain(more.text);
  });
});
