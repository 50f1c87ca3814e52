import { describe, expect, it } from 'vitest';
import { packOf } from '#server/languages/index';
import type { ActionCall, ActionResult, AgentAction } from '../contract.ts';
import { actionTools } from './tools.ts';

const order = {
  name: 'order',
  label: 'order number',
  type: 'digits',
  pattern: '\\d{4}',
  required: true,
} as const;
const status: AgentAction = {
  id: 's',
  name: 'Order status',
  when: 'They ask where it is.',
  inputs: [order, { name: 'note', label: 'note', type: 'text', required: false }],
  confirm: false,
};
const refund: AgentAction = { ...status, id: 'r', name: 'Refund!', inputs: [order], confirm: true };
const { signal } = new AbortController();

function world(answer?: ActionResult) {
  const ran: ActionCall[] = [];
  const run = async (call: ActionCall): Promise<ActionResult> => {
    ran.push(call);
    return (
      answer ?? { outcome: 'done', said: 'It is packed.', answer: { status: 'packed' }, isRepeated: false }
    );
  };
  const turn = { actions: { list: [status, refund], taken: Promise.resolve(run) } };
  const tools = actionTools(turn, packOf('en'));
  const call = async (name: string, input: unknown) => {
    const written = typeof input === 'string' ? input : JSON.stringify(input);
    const { result, ...rest } = await tools.call({ id: '1', name, input: written }, signal);
    return { ...(JSON.parse(result) as Record<string, unknown>), ...rest };
  };
  return { tools: tools.tools, call, ran };
}

describe('the actions of an agent as tools', () => {
  it('are described with the JSON Schema of their inputs', () => {
    expect(world().tools.map(({ name, input }) => [name, input])).toMatchObject([
      [
        'order_status',
        {
          required: ['order'],
          additionalProperties: false,
          properties: { order: { type: 'string', pattern: '^(?:\\d{4})$' }, note: { type: 'string' } },
        },
      ],
      ['refund', { required: ['order'] }],
    ]);
    expect(actionTools({}, packOf('en')).tools).toEqual([]);
  });

  it('are run with checked inputs, and nothing that the action does not have', async () => {
    const { call, ran } = world();
    expect(await call('order_status', { order: 4471, admin: true })).toMatchObject({
      ok: true,
      say: 'It is packed.',
      answer: { status: 'packed' },
      told: ['It is packed.', '{"status":"packed"}'],
    });
    expect(ran).toEqual([{ actionId: 's', inputs: { order: '4471' } }]);
  });

  it.each([
    ['order_status', '{"order":', /not valid JSON/],
    ['order_status', '[]', /no JSON object/],
    ['order_status', {}, /ask the customer for the order number/],
    ['order_status', { order: '17' }, /order is no order number/],
    ['order_status', { order: { $ne: 1 } }, /order is no order number/],
    ['delete_everything', {}, /no tool called delete_everything/],
    ['constructor', {}, /no tool called/],
  ])('%s with %j is answered with what is wrong', async (name, input, why) => {
    const { call, ran } = world();
    expect(await call(name, input)).toMatchObject({ ok: false, why: expect.stringMatching(why) });
    expect(ran).toEqual([]);
  });

  it('answer the same call as at first, and no more than four in a turn', async () => {
    const { call, ran } = world();
    for (let time = 0; time < 4; time++)
      expect(await call('order_status', { order: '4471' })).toMatchObject({ ok: true });
    expect(await call('order_status', { order: '4472' })).toMatchObject({
      ok: false,
      why: expect.stringContaining('No more tools'),
    });
    expect(ran).toHaveLength(1);
  });

  it('that have to be confirmed are read back, and not done by a model', async () => {
    const first = world();
    const asked = await first.call('refund', { order: '4471' });
    expect(asked).toMatchObject({
      ok: false,
      ask: {
        sentences: [expect.stringContaining('order number 4471'), 'Shall I go ahead?'],
        unconfirmed: { actionId: 'r', given: { order: '4471' } },
      },
    });
    expect(first.ran).toEqual([]);
  });

  it.each(['refused', 'failed', 'unknown'] as const)('tell the model that it was %s', async (outcome) => {
    const { call } = world({ outcome });
    expect(await call('order_status', { order: '4471' })).toMatchObject({ ok: false, told: [] });
  });
});
