import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { aConversation } from '../../../tests/support/a-conversation.ts';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'house',
  revision: '1',
  name: 'Ada',
  companyName: 'Linden House',
  language: 'en',
  personality: 'Plain and clear',
  prompts: [],
  companyInfo: `# Linden House

## Opening hours

The house is open from Tuesday to Sunday, 10 am to 6 pm. On Mondays it is closed.

## Tickets

### Prices

| Visitor | Price |
|---|---|
| Adult | £12 |
| Child aged 4 to 15 | £6 |
| Child under 4 | free |

### Change a booking

You can move a booking to another day until 24 hours before your visit, in the link of your confirmation mail.

### Cancel a booking

You can cancel until 48 hours before your visit, and the whole price is paid back. Later than that nothing is paid back, unless the house itself is closed.

### Refund times

A refund reaches your bank account within 5 working days.

## Visiting with a dog

Dogs may come into the garden on a lead. They may not come into the rooms, except for guide dogs.

## Parking

The car park beside the orchard costs £4 a day. Bicycles are free.

## Library card

### Lost card

If you lost your card, tell the desk. A new one costs £3 and is ready the next day.

### Forgotten PIN

Choose "Forgotten PIN" on the login page and a new one comes by text message.

### Blocked card

A card is blocked when books are more than 30 days late. Bring the books back and pay the fee to unblock it.

### First card

Your first card is made at the desk while you wait. Bring a letter with your address.

## Workshops

The pottery workshop is every Saturday at 2 pm and costs £25, clay included. Bring an apron.

## Safety

If there is a fire, leave the house by the nearest door and gather on the front lawn.
`,
};

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

const aCall = () => aConversation(dialogue, agent);

describe('an offer', () => {
  const unsure = 'My card is not taken any more at the gate, is there a way round that?';

  test('asks in few words whether that is meant, and tells it', async () => {
    const reply = await aCall()(unsure);
    expect(reply.outcome).toBe('offered');
    expect(reply.text).toMatch(/^Do you mean the blocked card\? A card is blocked when books/);
    expect(reply.text.split(' ').length).toBeLessThanOrEqual(30);
    expect(reply.citations.length).toBeGreaterThan(0);
  });

  test('was it: that is the answer, and it is not said again', async () => {
    const say = aCall();
    const { citations } = await say(unsure);
    const reply = await say('Yes, exactly.');
    expect(reply).toMatchObject({
      outcome: 'answered',
      citations: expect.arrayContaining(citations),
      topic: 'blocked card',
    });
    expect(reply.text).not.toContain('30 days');
  });

  test.each([
    "Yes, that's it.",
    "That's it.",
    'Exactly',
    'That one',
    "yes that's the one, thanks",
    'Yes please',
    "yep that's what I meant",
  ])('was it, said so: %s', async (text) => {
    expect(await aCall()(unsure, text)).toMatchObject({ outcome: 'answered', topic: 'blocked card' });
  });

  test("is no goodbye's business: without one, that was it is a farewell", async () => {
    const reply = await aCall()('How much is parking?', "No, that's it, thanks.");
    expect(reply).toMatchObject({ outcome: 'social', text: expect.stringMatching(/goodbye/i) });
  });

  test('was not it: the next one is offered, and at the end a colleague', async () => {
    const say = aCall();
    const offered = [await say(unsure), await say('No.'), await say("No, that's not it.")];
    expect(offered.map(({ outcome }) => outcome)).toEqual(['offered', 'offered', 'offered']);
    expect(new Set(offered.map(({ topic }) => topic)).size).toBe(3);
    const end = await say('no');
    expect(end).toMatchObject({ outcome: 'declined', citations: [] });
    expect(end.text).toMatch(/colleague[^?]*\?$/);
  });

  test.each(['No, the lost card', 'the lost card', 'It is about a card that I lost'])(
    'was not it, but %s: answered at once',
    async (text) => {
      const reply = await aCall()(unsure, text);
      expect(reply.outcome).toBe('answered');
      expect(reply.text).toMatch(/^If you lost your card/);
    },
  );

  test('something new is a question of its own', async () => {
    const reply = await aCall()(unsure, 'How much is parking?');
    expect(reply).toMatchObject({ outcome: 'answered', topic: 'parking' });
  });
});

describe('a vague question', () => {
  test.each(["It's about my card.", 'card', 'Something with my card'])(
    '%s: asked back in one short question with topics from the text',
    async (text) => {
      const reply = await aCall()(text);
      expect(reply).toMatchObject({ outcome: 'asked-back', citations: [] });
      expect(reply.text).toMatch(/(?:first|lost|blocked) card, [^?]*\bor [^?]*\?$/);
      expect(reply.text.split('?')).toHaveLength(2);
    },
  );

  test.each(["It doesn't work.", 'I have a problem', 'help me please'])(
    '%s: nothing is guessed',
    async (text) => {
      const reply = await aCall()(text);
      expect(reply.outcome).toMatch(/^(?:asked-back|social)$/);
      expect(reply.citations).toEqual([]);
      expect(reply.text).toMatch(/\?$/);
    },
  );

  test.each([
    ['The blocked one.', 'A card is blocked when books'],
    ['the lost card', 'tell the desk'],
    ['I lost it on the bus', 'tell the desk'],
    ['my very first card', 'Bring a letter'],
  ])('picked in words: %s', async (text, fact) => {
    const reply = await aCall()("It's about my card.", text);
    expect(reply.outcome).toBe('answered');
    expect(reply.text).toContain(fact);
  });

  test.each([
    ['the first one', 0],
    ['Second.', 1],
    ['the last one', 2],
  ])('picked by order: %s', async (text, at) => {
    const say = aCall();
    const labels =
      /about: (.*)\?/
        .exec((await say("It's about my card.")).text)?.[1]
        ?.split(/, (?:or )?/)
        .map((label) => label.replace('the ', '')) ?? [];
    expect(labels).toHaveLength(3);
    const reply = await say(text);
    expect(reply.outcome).toMatch(/^(?:answered|offered)$/);
    expect(reply.topic).toBe(labels[at]);
  });

  test('a yes picks none of them: which one is asked again', async () => {
    const reply = await aCall()("It's about my card.", 'Yes please.');
    expect(reply).toMatchObject({ outcome: 'asked-back', citations: [] });
    expect(reply.text).toMatch(/lost card, /);
  });

  test('picked none of them: a colleague', async () => {
    const reply = await aCall()("It's about my card.", 'None of these.');
    expect(reply).toMatchObject({ outcome: 'declined', citations: [] });
    expect(reply.text).toMatch(/colleague[^?]*\?$/);
  });

  test('what was not among them is looked for, and nobody asks the same again', async () => {
    const reply = await aCall()("It's about my card.", 'I forgot the PIN');
    expect(reply.outcome).toMatch(/^(?:answered|offered)$/);
    expect(reply.text).toMatch(/choose "Forgotten PIN"/i);
  });

  test('a whole question with a word that nobody wrote is not vague', async () => {
    expect((await aCall()('How much is it for kids?')).text).toContain('£6');
  });

  test('what nothing is near to is declined, not asked back', async () => {
    expect((await aCall()('Do you have wheelchairs?')).outcome).toBe('declined');
  });
});

describe('a colleague', () => {
  test('is asked for: number and name are asked for once each and read back', async () => {
    const say = aCall();
    const first = await say('How much is parking?', 'I want to talk to a person');
    expect(first.outcome).toBe('handover');
    expect(first.text).toMatch(/number or e-mail|telephone or e-mail/);
    const second = await say('07700 900417');
    expect(second.text).toContain('07700 900417');
    expect(second.text).toMatch(/name[^?]*\?$/);
    const third = await say('Anna');
    expect(third).toMatchObject({
      outcome: 'handover',
      contact: { name: 'Anna', phone: '07700 900417', note: expect.stringContaining('parking') },
    });
    expect(third.text).toContain('Anna');
    expect(third.text).not.toMatch(/\?/);
    const again = await say('Can somebody call me?');
    expect(again.outcome).toBe('handover');
    expect(again.text).not.toMatch(/name|number|e-mail/);
  });

  test('name and number at once: nothing more is asked', async () => {
    const say = aCall();
    const reply = await say('I want to talk to a person', 'Philip, 07700 900417');
    expect(reply.contact).toEqual({ name: 'Philip', phone: '07700 900417' });
    expect(reply.text).toMatch(/Philip[\s\S]*07700 900417/);
    expect(reply.text).not.toMatch(/\?/);
    const corrected = await say('No, with two L.');
    expect(corrected).toMatchObject({
      outcome: 'handover',
      contact: { name: 'Phillip', phone: '07700 900417' },
    });
    expect(corrected.text).toContain('Phillip');
  });

  test('an address, as it is said', async () => {
    const { contact } = await aCall()('I want to talk to a person', 'jo at lantern dot test');
    expect(contact).toMatchObject({ email: 'jo@lantern.test' });
  });

  test('questions go on after it, and what was left stays', async () => {
    const say = aCall();
    const reply = await say('I want to talk to a person', 'Anna, 07700 900417', 'How much is parking?');
    expect(reply).toMatchObject({ outcome: 'answered', contact: { name: 'Anna' } });
    expect(reply.text).toContain('£4');
  });

  test('goodbye after it is a goodbye', async () => {
    const say = aCall();
    const reply = await say('I want to talk to a person', 'Anna, 07700 900417', 'Thanks, bye.');
    expect(reply).toMatchObject({ outcome: 'social', contact: { phone: '07700 900417' } });
    expect(reply.text).toMatch(/[Gg]oodbye/);
    expect(reply.text).not.toMatch(/\?/);
  });

  test('is offered and not wanted', async () => {
    const reply = await aCall()('When is my booking?', 'No, thanks.');
    expect(reply.outcome).toBe('social');
    expect(reply.contact).toBeUndefined();
  });
});

describe('what only their own records say', () => {
  test('it says that it cannot see them, what holds for everybody, and what to do', async () => {
    const say = aCall();
    const reply = await say('Until when can my booking be moved?');
    expect(reply).toMatchObject({ outcome: 'declined', citations: [expect.anything()] });
    expect(reply.text).toMatch(/can't see.*in general.*24 hours before your visit.*colleague[^?]*\?$/s);
    const next = await say('Yes please.');
    const note = 'Until when can my booking be moved?';
    expect(next).toMatchObject({ outcome: 'handover', contact: { note } });
  });

  test('it tells nothing in general where nothing surely bears on it', async () => {
    for (const question of ['Where is my parcel?', 'When is my booking?']) {
      const reply = await aCall()(question);
      expect(reply).toMatchObject({ outcome: 'declined', citations: [] });
      expect(reply.text).not.toContain('general');
    }
  });
});

describe('several questions at once', () => {
  test.each([
    ['What does parking cost, and is the car park far from the orchard?', '£4'],
    ['How long does a refund take to come and when is the money in my account?', '5 working days'],
    ['Can I bring the dog inside or does it have to stay in the garden?', 'They may not come into the rooms'],
    ['Can I cancel two days before? Or do I lose the whole price then?', '48 hours'],
  ])('what answers both is told once: %s', async (text, fact) => {
    const { text: said, citations } = await aCall()(text);
    expect(said.split(fact)).toHaveLength(2);
    expect(said).not.toMatch(/as for the rest/i);
    const cited = citations.map(({ text }) => text);
    expect(cited).toEqual([...new Set(cited)]);
  });
});

describe('a typing error', () => {
  test.each([
    ['how much is prking', '£4'],
    ['What does the wrkshop cost?', '£25'],
    ['When is the pottrey class', 'every Saturday'],
    ['Do bicyles cost anything?', 'Bicycles are free'],
    ['When does my refnud come?', '5 working days'],
    ['Can I acncel?', '48 hours'],
    ['Are you open on Mondyas?', 'closed'],
  ])('in a word of the text is read: %s', async (text, fact) => {
    const reply = await aCall()(text);
    expect(reply.outcome).toBe('answered');
    expect(reply.text).toContain(fact);
  });
});

describe('a talk over several turns', () => {
  test('a problem told first is waited for, then answered', async () => {
    const say = aCall();
    expect((await say("I can't come on Friday.")).outcome).toMatch(/^(?:asked-back|offered)$/);
    const reply = await say('Can I change the day?');
    expect(reply.outcome).toBe('answered');
    expect(reply.text).toContain('24 hours before');
  });

  test('"not a refund, just cancel" is about cancelling', async () => {
    const reply = await aCall()('I want a refund', 'Not a refund, just cancel.');
    expect(reply.outcome).toBe('answered');
    expect(reply.text).toMatch(/^You can cancel until 48 hours/);
  });

  test('a change of topic is followed', async () => {
    const reply = await aCall()('Can I bring my dog inside?', 'And how much is parking?');
    expect(reply).toMatchObject({ outcome: 'answered', topic: 'parking' });
  });

  test('"and the workshop?" asks the same of another thing', async () => {
    const reply = await aCall()('How much is parking?', 'And the workshop?');
    expect(reply.text).toContain('£25');
    expect(reply.text).not.toContain('£4');
  });

  test('"it" is what was spoken of', async () => {
    const reply = await aCall()('When is the pottery class?', 'How much is it?');
    expect(reply.text).toContain('£25');
  });

  test('small talk at the start is no question', async () => {
    const say = aCall();
    expect(await say('Hi', 'How are you?')).toMatchObject({ outcome: 'social', citations: [] });
  });

  test('who is frustrated twice is offered a person, not another guess', async () => {
    const say = aCall();
    const reply = await say('This is ridiculous, nobody answers!', 'I am so fed up, this is unacceptable!');
    expect(reply.text).toMatch(/^(?:I'm sorry|I understand)/);
    expect(reply.text).toContain('colleague');
    expect(reply.citations).toEqual([]);
    expect((await say('Yes.')).outcome).toBe('handover');
  });
});

describe('an emergency', () => {
  test.each([
    ['The curtain is on fire!', /^That sounds dangerous[^.]*\. [^.]*call 999/],
    ['There is a fire!', /^That sounds dangerous[^.]*\. [^.]*call 999[\s\S]*nearest door/],
    ['My kid fell and is bleeding badly', /^I'm so sorry[^.]*\. [^.]*call 999/],
    [
      'She drank the stuff we clean the pipes with and her mouth is burning',
      /^I'm so sorry[^.]*\. [^.]*call 999/,
    ],
    [
      'I bought two tickets for Saturday from your website, one for me and one for my sister. We wanted to see the garden. I am on the bench by the pond, and she has collapsed and is not breathing.',
      /^I'm so sorry[^.]*\. [^.]*call 999/,
    ],
    ["I can't see a reason to go on living", /glad you told me\. Please call 999[\s\S]*116 123/],
    ['I will come over and shoot you all', /^I take that very seriously[^.]*\. [^.]*call 999/],
  ])('%s', async (text, expected) => {
    const reply = await aCall()('How much is parking?', text);
    expect(reply.outcome).toBe('handover');
    expect(reply.text).toMatch(expected);
  });

  test.each([
    'My oven is smoking meat, when is lunch?',
    'These prices are killing me',
    'Where is the fire exit?',
  ])('is none: %s', async (text) => {
    const reply = await aCall()(text);
    expect(reply.outcome).not.toBe('handover');
    expect(reply.text).not.toMatch(/999|emergency/);
  });
});

describe('how they can be reached, as people tell it', () => {
  const asking = 'I want to talk to a person';

  test('in pieces, the first of them with the wish for a colleague', async () => {
    const first = await aCall()('Get the office to phone me. Oh one six three two.');
    expect(first.text).toMatch(/go on|rest/i);
    const whole = await aCall()(
      'Get the office to phone me. Oh one six three two.',
      'nine six oh, two seven one',
    );
    expect(whole.contact).toMatchObject({ phone: '01632960271' });
    const corrected = await aCall()(
      'Get the office to phone me. Oh one six three two.',
      'nine six oh, two seven one',
      'No, not two seven one. Two double seven.',
    );
    expect(corrected.contact).toMatchObject({ phone: '01632960277' });
  });

  test('in pieces: half a number is waited for, and none is stored', async () => {
    const say = aCall();
    const half = await say(asking, 'oh seven seven double oh');
    expect(half.text).toMatch(/go on|rest/);
    expect(half.contact?.phone).toBeUndefined();
    expect((await say('nine double oh four one seven')).contact).toMatchObject({ phone: '07700900417' });
  });

  test('with a name, in one breath with the wish', async () => {
    const reply = await aCall()(
      'How much is parking?',
      'Okay, get someone to ring me. Fenwick, oh double-seven double-oh, nine double-oh, three eight two.',
    );
    expect(reply.contact).toMatchObject({ phone: '07700900382' });
  });

  test('an address in two halves', async () => {
    const reply = await aCall()(asking, 'jo dot smith', 'at lantern dot test');
    expect(reply.contact).toMatchObject({ email: 'jo.smith@lantern.test' });
    expect(reply.text).toContain('jo.smith@lantern.test');
  });

  test('read back, refused and told anew', async () => {
    const say = aCall();
    const refused = await say(asking, 'Anna, 07700 900417', "No, that's not right.");
    expect(refused.text).toMatch(/right number|once more/);
    expect(refused.contact?.phone).toBeUndefined();
    expect((await say('07700 900418')).contact).toMatchObject({ name: 'Anna', phone: '07700 900418' });
  });

  test('read back, and put right at its end', async () => {
    const reply = await aCall()(asking, 'Anna, 07700 900417', 'No, one ninety-three at the end.');
    expect(reply).toMatchObject({ outcome: 'handover', contact: { phone: '07700900193' } });
    expect(reply.text).toContain('07700 900193');
  });

  test('with the wish, and the open question goes with it', async () => {
    const reply = await aCall()(
      'How much is parking?',
      'Do you have wheelchairs?',
      "Could somebody ring me about that? It's Fraser Dunn, oh two oh, seven nine four six, oh double one eight.",
    );
    expect(reply.contact).toEqual({
      name: 'Fraser Dunn',
      phone: '02079460118',
      note: 'Do you have wheelchairs?',
    });
  });
});
