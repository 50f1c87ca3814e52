import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { aConversation } from '../../../tests/support/a-conversation.ts';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'nursery',
  revision: '1',
  name: 'Greta',
  companyName: 'Alder Nursery',
  language: 'en',
  personality: '',
  prompts: [],
  companyInfo: `# Alder Nursery

## Trees

Apple trees cost £35 and pear trees £38. We plant them for £20 each.

## Opening hours

Wednesday to Sunday, 9:00 to 17:00.
`,
};

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
const aCall = () => aConversation(dialogue, agent);
beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

describe('a number is waited for until it is whole', () => {
  test('that nobody asked for, with a name, in two turns', async () => {
    const say = aCall();
    const half = await say(
      'How much is a pear tree?',
      "The tall one, please. I'm Mrs Keel, and my number's oh one six one, four nine six.",
    );
    expect(half.outcome).toBe('handover');
    expect(half.text).toMatch(/go on|the rest/i);
    expect(half.contact?.phone).toBeUndefined();
    const whole = await say('oh three double nine, no wait, oh three double eight.');
    expect(whole.contact).toMatchObject({ name: 'Mrs Keel', phone: '01614960388' });
    expect(whole.text).toContain('0161 496 0388');
  });

  test('with the wish for a call and a spelled name', async () => {
    const say = aCall();
    const half = await say('Right, could somebody call me? Adeyo, A D E Y O. Oh two oh, seven nine.');
    expect(half.text).toMatch(/go on|the rest/i);
    const whole = await say('Four six, oh five, sorry, five oh, one nine.');
    expect(whole.contact).toMatchObject({ name: 'Adeyo', phone: '02079465019' });
  });

  test('written in figures with a pause', async () => {
    const say = aCall();
    await say("Please get somebody to ring me. Nora Tell. It's 0131");
    const whole = await say('496, and then oh 2 7 7.');
    expect(whole.contact).toMatchObject({ name: 'Nora Tell', phone: '01314960277' });
    expect((await say("No, that's not right. 7 2 2 at the end.")).contact).toMatchObject({
      phone: '01314960722',
    });
  });

  test('and is all there is where they say so', async () => {
    const reply = await aCall()('I want to talk to a person', '0163 29604', "That's all.");
    expect(reply.contact).toMatchObject({ phone: expect.stringMatching(/^0163 ?29604$/) });
  });

  test('or told anew where they say that it is wrong', async () => {
    const say = aCall();
    const refused = await say('I want to talk to a person', 'oh one six three two', "No, that's not right.");
    expect(refused.text).toMatch(/right number|once more/);
    await say('oh one two one');
    expect((await say('four nine six, oh double two one')).contact).toMatchObject({ phone: '01214960221' });
  });
});

test('somebody else is to be rung: the name and the number are theirs', async () => {
  const say = aCall();
  const left = await say(
    'Ask Greta to phone Edna Marsh, oh one two one, four nine six, oh double three one.',
  );
  expect(left).toMatchObject({ outcome: 'handover', contact: { name: 'Edna Marsh', phone: '01214960331' } });
  const corrected = await say("No, that's wrong, it ends in three one three.");
  expect(corrected.contact).toMatchObject({ name: 'Edna Marsh', phone: '01214960313' });
});

describe('an address in pieces', () => {
  test('with the wish for a mail', async () => {
    const say = aCall();
    expect((await say('Lovely, and e-mail me. T, dot, A B E L')).text).toMatch(/go on|the rest/i);
    const whole = await say('at stonepost dot example.');
    expect(whole.contact).toMatchObject({ email: 't.abel@stonepost.example' });
    const corrected = await say('No, not stone. Store, like a shop, storepost.');
    expect(corrected.contact).toMatchObject({ email: 't.abel@storepost.example' });
  });

  test('with a word spelled, and a word too many taken back', async () => {
    const say = aCall();
    const whole = await say(
      "Could someone e-mail me? It's mirko dot",
      'hass, H A S S, at the blue barn, all one word, dot example.',
    );
    expect(whole.contact).toMatchObject({ email: 'mirko.hass@thebluebarn.example' });
    const corrected = await say('Sorry, there is no the in it, just bluebarn.');
    expect(corrected.contact).toMatchObject({ email: 'mirko.hass@bluebarn.example' });
  });
});

test.each([
  ['Is 01632 960 700 your number?', /.*/],
  ['Do you have two apple trees, or is it one at ten?', /£35/],
])('asks, and leaves nothing: %s', async (text, said) => {
  const reply = await aCall()(text);
  expect(reply.outcome).not.toBe('handover');
  expect(reply.contact).toBeUndefined();
  expect(reply.text).toMatch(said);
});
