import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { key, member, scopeOf } from '#server/lib/principal';
import { whileConnected } from '#server/lib/while-connected';
import {
  agentChangeSchema,
  agentDeletedSchema,
  agentDraftSchema,
  agentSchema,
  agentTrySchema,
  changedAgentSchema,
  promptsToReadSchema,
  triedReplySchema,
  writingHelpRequestSchema,
  writingHintsSchema,
} from '#shared/agents';
import { shownSayingsSchema } from '#shared/sayings';
import { sayingsInPrompts } from './sayings-in-prompts.ts';
import type { AgentsService } from './service.ts';
import type { TryOuts } from './try-outs.ts';
import type { WritingHelp } from './writing-help.ts';

/** Any string: a malformed id is answered like a missing one. */
const paramsSchema = z.object({ id: z.string() });

/**
 * 200,000 characters of company information, 50 prompts of 4,000 and 105,000 of sayings, four bytes each, with room for
 * JSON's escapes.
 */
const AGENT_BODY_BYTES = 4_000_000;

/** `/api/agents`: list, one, create, change, delete, and a try-out that stores nothing. */
export const agentsRoutes =
  (agents: AgentsService, tryOuts: TryOuts, writingHelp: WritingHelp): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Agents'];

    app.get(
      '/api/agents',
      {
        config: { serves: [member(), key('agents:read')] },
        schema: { tags, summary: 'Your agents, newest first', response: { 200: z.array(agentSchema) } },
      },
      (request) => agents.list(scopeOf(request.principal)),
    );

    app.get(
      '/api/agents/:id',
      {
        config: { serves: [member(), key('agents:read')] },
        schema: {
          tags,
          summary: 'One of your agents',
          params: paramsSchema,
          response: { 200: agentSchema },
        },
      },
      (request) => agents.get(scopeOf(request.principal), request.params.id),
    );

    app.post(
      '/api/agents',
      {
        config: { serves: [member('supervisor'), key('agents:write')], idempotent: true },
        bodyLimit: AGENT_BODY_BYTES,
        schema: {
          tags,
          summary: 'Create an agent',
          description:
            'Each of `greeting`, `goodbye`, `answers`, `neverSay` and `handOverWhen` that is left out is read in the prompts. It speaks English unless `language`, a BCP 47 tag, says otherwise. What this server has inside knows English alone; engines that the settings name are told the language.',
          body: agentDraftSchema,
          response: { 201: agentSchema },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await agents.create(scopeOf(request.principal), request.body)),
    );

    app.put(
      '/api/agents/:id',
      {
        config: { serves: [member('supervisor'), key('agents:write')] },
        bodyLimit: AGENT_BODY_BYTES,
        schema: {
          tags,
          summary: 'Change an agent; the later save counts',
          description:
            'What is said word for word, or never, the language and what is left out stay as they are where they are not sent. Send the `updatedAt` the change started from: when another version was saved since, the answer carries it as `replaced`.',
          params: paramsSchema,
          body: agentChangeSchema,
          response: { 200: changedAgentSchema },
        },
      },
      (request) => agents.update(scopeOf(request.principal), request.params.id, request.body),
    );

    app.delete(
      '/api/agents/:id',
      {
        config: { serves: [member('supervisor'), key('agents:write')] },
        schema: {
          tags,
          summary: 'Delete an agent; its past conversations stay',
          params: paramsSchema,
          response: { 200: agentDeletedSchema },
        },
      },
      async (request) => {
        await agents.delete(scopeOf(request.principal), request.params.id);
        return { message: 'The agent was deleted.' };
      },
    );

    app.post(
      '/api/agents/try',
      {
        config: { serves: [member('supervisor')], perUser: { count: 30, windowS: 60 } },
        bodyLimit: AGENT_BODY_BYTES,
        schema: {
          tags,
          summary: 'Talk with an agent that is not saved; nothing is stored',
          description: 'Without a `message` the agent says its welcome.',
          body: agentTrySchema,
          response: { 200: triedReplySchema },
        },
      },
      (request, reply) => tryOuts.answer(scopeOf(request.principal), request.body, whileConnected(reply)),
    );

    app.post(
      '/api/agents/sayings',
      {
        config: { serves: [member('supervisor')], perUser: { count: 60, windowS: 60 } },
        bodyLimit: AGENT_BODY_BYTES,
        schema: {
          tags,
          summary: 'What prompts say that an agent has fields for; nothing is stored',
          description:
            'Of what prompts say in the usual wordings: how it greets and parts, what it says word for word and to what, what it never says, and what a colleague takes over. An agent does as its prompts say for each of these fields that was never sent.',
          body: promptsToReadSchema,
          response: { 200: shownSayingsSchema.required() },
        },
      },
      (request) => sayingsInPrompts(request.body),
    );

    app.post(
      '/api/agents/writing-help',
      {
        config: { serves: [member('supervisor')], perUser: { count: 60, windowS: 60 } },
        bodyLimit: AGENT_BODY_BYTES,
        schema: {
          tags,
          summary: 'What to mend in company information that is being written; nothing is stored',
          description:
            'At most four hints of each kind: statements that contradict each other, rules without the number they promise, and what customers usually ask and nothing answers. One text of an account is read at a time: a newer one takes its place, and the earlier is answered with what was found until then. `agentId` names a saved agent whose documents count, too.',
          body: writingHelpRequestSchema,
          response: { 200: writingHintsSchema },
        },
      },
      async (request, reply) => ({
        hints: await writingHelp.hints(scopeOf(request.principal), request.body, whileConnected(reply)),
      }),
    );
  };
