import { afterAll, describe, expect, test } from 'vitest';
import { aConversation } from '../../../tests/support/a-conversation.ts';
import type { AgentProfile } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'bindery',
  revision: '1',
  name: 'Odile',
  companyName: 'Fernlea Bindery',
  language: 'en',
  personality: '',
  prompts: [],
  companyInfo: `# Fernlea Bindery

## Repairs

A loose spine is glued for £18 and takes two weeks.

## Opening hours

Monday to Thursday, 8:00 to 16:00.
`,
};

const dialogue = createDialogue({ reading: null });
const aCall = () => aConversation(dialogue, agent);
afterAll(() => dialogue.close());

const number = 'oh one six one, four nine six, oh one double two';

describe('an address that nobody asked for', () => {
  test('is waited for, and told at another place meanwhile', async () => {
    const say = aCall();
    const half = await say("Could you put down my email, it's wanda dot prill at");
    expect(half.text).toMatch(/go on|the rest/i);
    expect(half.contact?.email).toBeUndefined();
    const whole = await say('saltmarsh dot org, oh no, that is my work one, millrace dot example');
    expect(whole.contact).toEqual({ email: 'wanda.prill@millrace.example' });
    expect(whole.text).toContain('wanda.prill@millrace.example');
    const spelled = await say('no, prell with p r e l l');
    expect(spelled.contact).toMatchObject({ email: 'wanda.prell@millrace.example' });
    const other = await say('not millrace, mill lace');
    expect(other.contact).toMatchObject({ email: 'wanda.prell@milllace.example' });
  });

  test('is corrected by letters that are made clear', async () => {
    const say = aCall();
    await say('note my e-mail address please. tove underscore lind', 'at harbour glass dot example');
    const corrected = await say('no, it is b l i n d, b for bravo');
    expect(corrected.contact).toMatchObject({ email: 'tove_blind@harbourglass.example' });
  });

  test('is told beside a question, and begun anew', async () => {
    const asking = aCall();
    await asking("do you repair atlases, and my email's pia dot");
    expect((await asking('roth at quarry dot example')).contact?.email).toBe('pia.roth@quarry.example');
    const anew = aCall();
    expect((await anew('get this down, my email is osman at')).outcome).toBe('handover');
    expect((await anew('no, os at quarrygate dot example')).contact?.email).toBe('os@quarrygate.example');
  });

  test('is told once more where it is refused', async () => {
    const say = aCall();
    await say("could you email me, it's wanda dot prill at millrace dot example");
    expect((await say("No, that's not right.")).text).toMatch(/right number|once more/);
    const again = await say('w a n d a dot p r e l l at millrace dot example');
    expect(again.contact?.email).toBe('wanda.prell@millrace.example');
  });
});

describe('a name that is told with the number or the wish is not asked for', () => {
  test.each([
    [`tell the foreman bettina called, ${number}`, 'Bettina'],
    [`it's ruairi costello, ${number}`, 'Ruairi Costello'],
    [`hello, this is mrs o'dowd, ${number}`, "Mrs O'Dowd"],
    [`${number}, name bettina`, 'Bettina'],
    [`Could you ring me on ${number}, i'm nils holm`, 'Nils Holm'],
    ['my number is oh one six one and after four nine six and after oh one two two, name ingrid', 'Ingrid'],
  ])('%s', async (text, name) => {
    const reply = await aCall()(text);
    expect(reply.contact).toMatchObject({ name, phone: '01614960122' });
    expect(reply.text).not.toMatch(/name/i);
  });

  test('before the number', async () => {
    const reply = await aCall()('could somebody ring me, this is sunniva from the allotments', number);
    expect(reply.contact).toMatchObject({ name: 'Sunniva', phone: '01614960122' });
    expect(reply.text).not.toMatch(/name/i);
  });

  test.each([
    `it's water damage in the cellar, ring me on ${number}`,
    `I'm locked out, can you ring me on ${number}`,
    `it's urgent, ${number}`,
    `that's my mobile number, ${number}`,
  ])('nor is a matter a name: %s', async (text) => {
    const reply = await aCall()(text);
    expect(reply.contact).toMatchObject({ phone: '01614960122' });
    expect(reply.contact?.name).toBeUndefined();
  });
});

describe('a number that is told as the own', () => {
  test('is waited for beside a question', async () => {
    const say = aCall();
    const half = await say(
      'could I leave my phone number in case you find the atlas, it is zero one six one four',
    );
    expect(half.outcome).toBe('handover');
    const whole = await say('nine six zero one two, no, wait, zero one double two');
    expect(whole.contact?.phone).toBe('01614960122');
  });

  test.each([
    'can you take my number? it is oh one six one four nine six oh one double two',
    'if it turns up you can reach me on oh one six one four nine six oh one double two, would that be all right?',
  ])('is kept: %s', async (text) => {
    expect((await aCall()(text)).contact?.phone).toBe('01614960122');
  });

  test.each([
    'my email is not working at the moment, do you still bind books?',
    'is my number on the list?',
    'can I reach you at home or at work?',
    'my phone is 12345 days old, can I return it?',
    'My e-mail is full, what does a loose spine cost?',
  ])('a question is none: %s', async (text) => {
    const reply = await aCall()(text);
    expect(reply.outcome).not.toBe('handover');
    expect(reply.contact).toBeUndefined();
  });
});

describe('what was read back is right', () => {
  test.each(["yes that's it, it's mr okonjo", "yes that's right, this is mr okonjo"])('%s', async (text) => {
    const reply = await aCall()(number, text);
    expect(reply.contact).toMatchObject({ name: 'Mr Okonjo', phone: '01614960122' });
    expect(reply.text).toMatch(/colleague/);
    expect(reply.text).not.toMatch(/sorry/i);
  });

  test.each(['yes, that is correct thank you', "oui yes it's fine", 'yes that is right'])(
    '%s',
    async (text) => {
      const reply = await aCall()(`Ring Edna Marsh on ${number}`, text);
      expect(reply.outcome).toBe('handover');
      expect(reply.text).toMatch(/colleague/);
    },
  );
});
