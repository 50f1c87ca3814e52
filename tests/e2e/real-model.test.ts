import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findServersHere } from '#server/engines/language/found-here';
import { signedInSchema } from '#shared/accounts';
import { conversationSchema } from '#shared/conversations';
import { engineTrialsSchema } from '#shared/engine-settings';
import { modelUsageSchema } from '#shared/insights';
import { aRegistration } from '../factories.ts';
import { CallClient } from '../support/call-world.ts';
import { openWatchedLine, SMALL_MODEL, type SmallModel, startSmallModel } from '../support/small-model.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

const python = process.env.SIGMA_TEST_SMALL_MODEL ?? '';
/** The embedded reader's own wording, which no model produces by chance. */
const RETURNS = 'A kettle comes back to us within 45 days, unused and in its box.';
const QUESTION = 'Within how many days can I bring a kettle back?';
const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+/);

describe.skipIf(!python)('a real small language model (skipped where pip cannot install it)', () => {
  let model: SmallModel;
  let line: Awaited<ReturnType<typeof openWatchedLine>>;
  let server: RunningServer;
  let account: { token: string; _id: string; name: string; email: string };
  let agentId: string;
  let customer: CallClient;

  beforeAll(async () => {
    model = await startSmallModel(python);
    line = await openWatchedLine(() => model.url);
    const env = { ...withoutSpeech, LLM_BASE_URL: `${line.url}/v1`, LLM_MODEL: SMALL_MODEL };
    server = await startServer({ env });
    const { token, user } = signedInSchema.parse(await api('/api/auth/register', aRegistration()));
    account = { token, ...user };
    const agent = await api('/api/agents', {
      name: 'Mia',
      companyName: 'Kettles',
      personality: 'Brisk.',
      companyInfo: `# Returns\n\n${RETURNS}`,
      prompts: [],
    });
    agentId = agent._id;
    customer = await connected();
    // A first turn reads the instructions, which the model's server caches for the next ones.
    await answerTo(customer, await aCall(customer), 'Hello, what do you do?');
  });
  afterAll(async () => {
    customer?.socket.disconnect();
    await server?.stop();
    await line?.close();
    await model?.kill();
  });

  async function api(path: string, body?: object) {
    const response = await fetch(`${server.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(account ? { authorization: `Bearer ${account.token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(response.ok).toBe(true);
    return response.json();
  }
  async function connected(): Promise<CallClient> {
    const client = new CallClient(server.url, account, { streaming: true });
    await client.connected();
    return client;
  }
  const aCall = async (client: CallClient) => {
    const { conversationId } = await client.start({ isCallSimulator: false, agentId, voice: false });
    return conversationId;
  };
  /** The whole reply to a message, once the turn has ended. */
  async function answerTo(client: CallClient, conversationId: string, message: string) {
    const answers = client.all('ai_response').length;
    const quiet = () => client.order.filter((name) => name === 'typing false').length;
    const before = quiet();
    const ack = await client.say(conversationId, message, { isCallSimulator: false, agentId, voice: false });
    expect(ack.ok).toBe(true);
    await vi.waitFor(
      () => expect([client.all('ai_response').length, quiet()]).toEqual([answers + 1, before + 1]),
      { timeout: 120_000 },
    );
    return client.all('ai_response')[answers];
  }
  const tokens = async () => {
    const { months } = modelUsageSchema.parse(await api('/api/insights/usage'));
    return months.find(({ model }) => model === SMALL_MODEL) ?? { input: 0, output: 0, turns: 0 };
  };
  const messagesOf = async (conversationId: string) =>
    conversationSchema.parse(await api(`/api/conversations/${conversationId}`)).messages;

  it('is known as llama.cpp by what it says of itself', async () => {
    const nobody = 'http://127.0.0.1:9';
    const addresses = ({ label }: { label: string }) => (label === 'llama.cpp' ? model.url : nobody);
    const found = await findServersHere(new AbortController().signal, addresses, 60_000);
    expect(found).toEqual([{ label: 'llama.cpp', baseUrl: `${model.url}/v1`, models: [SMALL_MODEL] }]);
  });

  it('says a real sentence to an owner who tries it', async () => {
    const { trials } = engineTrialsSchema.parse(await api('/api/settings/engines/language/try', {}));
    expect(trials).toMatchObject([{ name: SMALL_MODEL, text: expect.stringMatching(/\w/) }]);
    expect(trials[0]).not.toHaveProperty('problem');
  });

  it('answers in a call sentence by sentence, and its tokens are counted', async () => {
    const before = {
      tokens: await tokens(),
      answers: line.answers,
      chunks: customer.all('ai_response_chunk').length,
    };
    const conversationId = await aCall(customer);
    const answer = await answerTo(customer, conversationId, QUESTION);
    // A second answer is requested if a sentence of the first may not be said: this model's words differ by machine.
    expect([1, 2]).toContain(line.answers - before.answers);
    const chunks = customer.all('ai_response_chunk').slice(before.chunks);
    expect(chunks.map(({ text }) => text).join(' ')).toBe(answer?.message);
    const after = await tokens();
    expect(after.turns).toBe(before.tokens.turns + 1);
    expect(after.input).toBeGreaterThan(before.tokens.input + 100);
    expect(after.output).toBeGreaterThan(before.tokens.output);
  });

  it('goes on for a customer who leaves in mid-answer, and says it once', async () => {
    const leaving = await connected();
    const conversationId = await aCall(leaving);
    line.moment = {
      word: 1,
      act: async () => {
        leaving.socket.disconnect();
        return true;
      },
    };
    await leaving.say(conversationId, QUESTION, { isCallSimulator: false, agentId, voice: false });
    await expect.poll(async () => (await messagesOf(conversationId)).length).toBe(3);
    const back = await connected();
    const { messages } = await back.start({ isCallSimulator: false, agentId, conversationId, voice: false });
    expect(messages?.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
    back.socket.disconnect();
  });

  it('has the embedded reader say the rest where the model dies in mid-answer, and nothing twice', async () => {
    const conversationId = await aCall(customer);
    line.moment = {
      word: 12,
      act: async () => {
        await model.kill();
        return false;
      },
    };
    const answer = await answerTo(customer, conversationId, QUESTION);
    expect(line.moment).toBeNull();
    expect(answer?.message).toContain('45 days');
    const said = sentencesOf(answer?.message ?? '');
    expect(new Set(said).size).toBe(said.length);
    expect((await messagesOf(conversationId)).map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('leaves the call to the embedded reader while no model is there', async () => {
    const { answers } = line;
    const answer = await answerTo(customer, await aCall(customer), QUESTION);
    expect(answer?.message).toContain(RETURNS);
    expect(line.answers).toBe(answers);
    expect(customer.all('error')).toEqual([]);
  });
});
