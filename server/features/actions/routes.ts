import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { key, member, scopeOf, sightOf } from '#server/lib/principal';
import { whileConnected } from '#server/lib/while-connected';
import {
  actionDraftSchema,
  actionRunSchema,
  actionSchema,
  actionTrySchema,
  offeredToolSchema,
  toolServerSchema,
  triedActionSchema,
} from '#shared/actions';
import type { ActionsService } from './service.ts';

/** Any string: a malformed id is answered like a missing one. */
const agentParams = z.object({ id: z.string() });
const actionParams = agentParams.extend({ actionId: z.string() });

/** These routes send requests to other systems, so they are limited to the pace of a person reading the answers. */
const asksOthers = { serves: [member('supervisor')], perUser: { count: 30, windowS: 60 } };

/** `/api/agents/{id}/actions`, and the runs in a conversation. */
export const actionsRoutes =
  (actions: ActionsService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Actions'];

    app.get(
      '/api/agents/:id/actions',
      {
        config: { serves: [member(), key('agents:read')] },
        schema: {
          tags,
          summary: 'What one of your agents can do, oldest first',
          params: agentParams,
          response: { 200: z.array(actionSchema) },
        },
      },
      (request) => actions.list(scopeOf(request.principal), request.params.id),
    );

    app.post(
      '/api/agents/:id/actions',
      {
        config: { serves: [member('supervisor'), key('agents:write')], idempotent: true },
        schema: {
          tags,
          summary: 'Let an agent do something',
          description:
            'Values of headers are kept under the seal of the server and never answered. A header of null takes the value that another action of the agent keeps for the same server.',
          params: agentParams,
          body: actionDraftSchema,
          response: { 201: actionSchema },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(await actions.create(scopeOf(request.principal), request.params.id, request.body)),
    );

    app.put(
      '/api/agents/:id/actions/:actionId',
      {
        config: { serves: [member('supervisor'), key('agents:write')] },
        schema: {
          tags,
          summary: 'Change an action',
          description:
            'A header of null keeps its value, unless the address leads to another server now; without `headers` all are kept.',
          params: actionParams,
          body: actionDraftSchema,
          response: { 200: actionSchema },
        },
      },
      ({ principal, params, body }) => actions.update(scopeOf(principal), params.id, params.actionId, body),
    );

    app.delete(
      '/api/agents/:id/actions/:actionId',
      {
        config: { serves: [member('supervisor'), key('agents:write')] },
        schema: {
          tags,
          summary: 'Delete an action',
          params: actionParams,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await actions.delete(scopeOf(request.principal), request.params.id, request.params.actionId);
        return reply.code(204).send();
      },
    );

    app.post(
      '/api/agents/:id/actions/:actionId/try',
      {
        config: asksOthers,
        schema: {
          tags,
          summary: 'Run an action for real, with inputs of your own',
          params: actionParams,
          body: actionTrySchema,
          response: { 200: triedActionSchema },
        },
      },
      ({ principal, params, body }, reply) =>
        actions.try(scopeOf(principal), params.id, params.actionId, body.inputs, whileConnected(reply)),
    );

    app.post(
      '/api/agents/:id/actions/tools',
      {
        config: asksOthers,
        schema: {
          tags,
          summary: 'The tools of a server that speaks the Model Context Protocol, as actions would use them',
          params: agentParams,
          body: toolServerSchema,
          response: { 200: z.array(offeredToolSchema) },
        },
      },
      ({ principal, params, body }, reply) =>
        actions.tools(scopeOf(principal), params.id, body, whileConnected(reply)),
    );

    app.get(
      '/api/conversations/:id/actions',
      {
        config: { serves: [member(), key('conversations:read')] },
        schema: {
          tags,
          summary: 'What the agent did in one of your conversations, oldest first',
          params: agentParams,
          response: { 200: z.array(actionRunSchema) },
        },
      },
      (request) => actions.runsOf(sightOf(request.principal), request.params.id),
    );
  };
